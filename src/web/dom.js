const AS_PROPERTY = new Set(['value', 'request', 'draw']);

function build(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (value == null || value === false) continue;
		if (name === 'key') element.dataset.key = value;
		else if (AS_PROPERTY.has(name)) element[name] = value;
		else if (typeof value === 'function') element.addEventListener(name.slice(2), value);
		else if (name === 'style') for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
		else element.setAttribute(name, value === true ? '' : value);
	}
	element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
	return element;
}

const maker =
	(create) =>
	(tag, ...children) => {
		const [name, ...classes] = tag.split('.');
		const element = create(name);
		if (name === 'button') element.type = 'button';
		if (classes.length) element.setAttribute('class', classes.join(' '));
		return build(element, children[0]?.constructor === Object ? children.shift() : {}, children);
	};

// An HTML element: `h('p.soft', 'Text')`, `h('button.primary', {key: 'roll', onclick: roll}, 'Roll')`. `key` becomes
// `data-key` (see redraw), `style` is an object of properties. Children that are null or false are left out.
export const h = maker((name) => document.createElement(name));

export const s = maker((name) => document.createElementNS('http://www.w3.org/2000/svg', name));

// Replaces what `parent` holds. Focus and caret stay with the element of the same `data-key`.
export function redraw(parent, ...children) {
	const focused = parent.contains(document.activeElement) ? document.activeElement : null;
	const key = focused?.dataset.key;
	const caret = /^text/.test(focused?.type) && [focused.selectionStart, focused.selectionEnd];
	parent.replaceChildren();
	build(parent, {}, children);
	if (!key) return;
	const next = parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
	next?.focus({ preventScroll: true });
	if (caret) next?.setSelectionRange?.(...caret);
}

// Arrow keys lead from button to button, by `steps[event.key]`.
export function roam(event, steps) {
	const step = steps[event.key];
	if (!step) return;
	event.preventDefault();
	const buttons = [...event.currentTarget.querySelectorAll('button')];
	buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
}

let pending;
// Tells users of screen readers the last of several quick announcements.
export function announce(text) {
	clearTimeout(pending);
	pending = setTimeout(() => {
		document.getElementById('live').textContent = text;
	}, 150);
}

// Copies a text, also over plain HTTP. Returns whether that worked.
export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const area = h('textarea.unseen', { readonly: true, value: text });
		document.body.append(area);
		area.select();
		const done = document.execCommand('copy');
		area.remove();
		return done;
	}
}

const tried = (action) => {
	try {
		return action();
	} catch {
		return null; // A sandboxed frame remembers nothing.
	}
};

export const storage = {
	get: (key) => tried(() => localStorage.getItem(`kibitz-${key}`)),
	set: (key, value) => tried(() => localStorage.setItem(`kibitz-${key}`, value)),
};
