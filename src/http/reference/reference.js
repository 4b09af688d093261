// Makes a form of every example, so that a reader can change it and send it to this very service.

const base = new URL('./', document.baseURI);
const narrow = matchMedia('(max-width: 860px)');

function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/** JSON laid out where it is JSON; any other text as it stands. */
function readable(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

function command(method, url, body) {
	const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
	if (body === undefined) return `curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`;
	return `curl -s ${url} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(body)}`;
}

let made = 0;

function addForm(example) {
	const { method, target, body } = example.dataset;
	const code = example.querySelector('pre code');
	const id = `try-${made++}`;
	const field =
		body === undefined
			? element('input', { id, className: 'target', value: target.slice(1), spellcheck: false, autocomplete: 'off' })
			: element('textarea', { id, value: body, rows: Math.min(14, body.split('\n').length + 1), spellcheck: false });
	const label = element('label', { htmlFor: id }, body === undefined ? 'Path and query' : 'Body');
	const send = element('button', { type: 'submit', className: 'send' }, 'Send');
	const copy = element('button', { type: 'button' }, 'Copy the command');
	const status = element('span', { className: 'status', role: 'status' });
	const answer = element('code');
	const shown = element(
		'figure',
		{ hidden: true },
		element('figcaption', {}, 'Answer of this service'),
		element('pre', { tabIndex: 0 }, answer),
	);
	const form = element(
		'form',
		{ className: 'try' },
		label,
		field,
		element('div', { className: 'actions' }, send, copy, status),
		shown,
	);
	const asked = () =>
		body === undefined
			? [new URL(field.value, base).href, undefined]
			: [new URL(target.slice(1), base).href, field.value];
	const redraw = () => {
		code.textContent = command(method, ...asked());
	};

	field.addEventListener('input', redraw);
	copy.addEventListener('click', async () => {
		try {
			await navigator.clipboard.writeText(code.textContent);
			status.textContent = 'Copied.';
		} catch {
			status.textContent = 'Copying is not allowed here.';
		}
	});
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		send.disabled = true;
		status.textContent = '';
		const [url, text] = asked();
		const started = performance.now();
		try {
			if (new URL(url).origin !== base.origin) throw new TypeError('Only this service is asked from here.');
			const headers = text === undefined ? {} : { 'content-type': 'application/json' };
			const response = await fetch(url, { method, headers, body: text });
			const received = await response.text();
			status.textContent = `${response.status} in ${(performance.now() - started).toFixed(0)} ms`;
			answer.textContent = readable(received) || '(nothing)';
			shown.hidden = false;
		} catch (error) {
			status.textContent = error.message;
		}
		send.disabled = false;
	});
	redraw();
	example.querySelector('summary').after(form);
}

// A form is made when its example is first opened: there are many, and few are used.
for (const example of document.querySelectorAll('.example')) {
	example.addEventListener('toggle', () => {
		if (example.open && !example.querySelector('form')) addForm(example);
	});
}

/** On a narrow screen the contents are folded, so that the reference itself is there at once. */
const fold = () => {
	document.querySelector('nav details').open = !narrow.matches;
};
narrow.addEventListener('change', fold);
fold();
