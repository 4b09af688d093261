import { asCurl, asFetch } from './api.js';
import { copy, h, redraw } from './dom.js';
import { number, texts } from './i18n.js';
import { linkTo } from './url.js';

const t = texts({
	request: ['The request behind this', '对应的 API 请求'],
	copy: '复制',
	copied: '已复制',
	copy_link: '复制链接',
	select: ['Press Ctrl+C', '请按 Ctrl+C'],
	show_as: '显示为',
	try_again: '重试',
	fix: ['Fix the highlighted field.', '请修改标出的内容。'],
	asking: ['Asking …', '正在询问……'],
	showAll: ['Show all {n}', '显示全部（{n}）'],
	show_fewer: '收起',
	best: ['best', '最佳'],
	good: ['good', '不错'],
	inaccuracy: ['inaccuracy', '不精确'],
	mistake: ['mistake', '失误'],
	blunder: ['blunder', '大错'],
	code: ['Code of the request', '请求的代码'],
});

export function gradeOf(loss) {
	if (loss < 1e-9) return 'best';
	return ['good', 'inaccuracy', 'mistake'].find((_, i) => loss < [0.5, 1.5, 4][i]) ?? 'blunder';
}

export const verdict = (grade, word = t(grade)) => h(`span.verdict.grade-${grade}`, h('span', word));

export const gradeName = (grade) => t(grade);

export const faultNote = (faults = [], id) =>
	faults.length > 0 && h('p.fault', { id, role: 'alert' }, [...new Set(faults)].join('\n'));

let ids = 0;

// One of a few values: `segmented({label, name, options: [[value, text], ...], value, onchange(value)})`; the label
// may be `unseen`.
export function segmented({ label, name, options, value, onchange, unseen = false, faults }) {
	ids += 1;
	const group = `${name}-${ids}`;
	return h(
		'fieldset.segmented',
		h(unseen ? 'legend.unseen' : 'legend', label),
		h(
			'div.segments',
			options.map(([key, text]) =>
				h(
					'label',
					h('input.unseen', {
						type: 'radio',
						name: group,
						value: key,
						checked: String(key) === String(value),
						key: `${name}-${key}`,
						onchange: () => onchange(key),
					}),
					h('span', text),
				),
			),
		),
		faultNote(faults),
	);
}

export function field({ label, control, faults = [], hint }) {
	ids += 1;
	const id = `field-${ids}`;
	control.id = id;
	control.classList.add('input');
	const about = [hint && `${id}-hint`, faults.length && `${id}-fault`].filter(Boolean);
	if (about.length) control.setAttribute('aria-describedby', about.join(' '));
	if (faults.length) control.ariaInvalid = 'true';
	return h(
		'div.field',
		h('label', { for: id }, label),
		control,
		hint && h('p.small', { id: `${id}-hint` }, hint),
		faultNote(faults, `${id}-fault`),
	);
}

export const entry = ({ label, name, faults, hint, onchange = () => {}, ...attributes }) =>
	field({
		label,
		faults,
		hint,
		control: h('input', {
			autocomplete: 'off',
			key: name,
			...attributes,
			onchange: ({ target }) => onchange(target.value.trim()),
		}),
	});

// A select in a field: `options` are `[value, text]`, or `[group, options]`. A value that is none of them is shown as
// it is.
export function select({ name, options, value, onchange, ...rest }) {
	const option = ([key, text]) =>
		Array.isArray(text) ? h('optgroup', { label: key }, text.map(option)) : h('option', { value: key }, text);
	const control = h('select', { key: name, onchange: (event) => onchange(event.target.value) }, options.map(option));
	control.value = value;
	if (control.selectedIndex < 0) control.prepend(h('option', { value, selected: true }, value));
	return field({ ...rest, control });
}

// What the service rejected and no field has shown, with a retry if that may help.
export function problemNote(problem) {
	const sentences = problem?.rest ?? [];
	return (
		sentences.length > 0 &&
		h(
			'div.note',
			{ role: 'alert' },
			sentences.map((sentence) => h('p', sentence)),
			problem.retry && !problem.errors.length && button('retry', t('try_again'), problem.retry),
		)
	);
}

// Ranked choices with bars for what they cost: `{key, rank?, what, loss, onclick? with pressed?, or href?}`. The
// longest bar is the greatest loss, or 4. `tell(loss)` writes a loss.
export function ranked(rows, { tell = (loss) => (loss < 1e-9 ? t('best') : `−${number(loss, 2)}`) } = {}) {
	const most = Math.max(4, ...rows.map((row) => row.loss));
	return h(
		'ol.ranked',
		rows.map(({ key, rank, what, loss, pressed, onclick, href }, index) => {
			const grade = gradeOf(loss);
			const bar = h(`i.grade-${grade}`, { style: { width: `${(loss / most) * 100}%` } });
			return h(
				'li',
				h(
					`${onclick ? 'button' : href ? 'a' : 'div'}.choice${grade === 'best' ? '.best' : ''}`,
					{
						href,
						key: `choice-${key}`,
						'aria-pressed': onclick && pressed !== undefined && String(pressed),
						onclick,
					},
					h('span.rank', rank ?? index + 1),
					h('span.what', what),
					grade !== 'best' && h('span.track', bar),
					h('span.loss', tell(loss)),
				),
			);
		}),
	);
}

export const figures = (list) =>
	h(
		'dl.figures',
		list.filter(Boolean).map(([name, value]) => h('div', h('dt', name), h('dd', value))),
	);

export const button = (key, text, onclick, style = 'button.button') => h(style, { key, onclick }, text);

export const table = (heads, rows) =>
	h(
		'table.table',
		h(
			'thead',
			h(
				'tr',
				heads.map((head, i) => h(i ? 'th' : 'th.left', { scope: 'col' }, head)),
			),
		),
		h(
			'tbody',
			rows.map(([name, ...cells]) =>
				h(
					'tr',
					h('th.left', { scope: 'row' }, name),
					cells.map((cell) => h('td', cell)),
				),
			),
		),
	);

export const noAnswer = (problem) => problemNote(problem) || h('p.soft', t(problem ? 'fix' : 'asking'));

export const moreButton = (open, n, onclick) =>
	h(
		'button.quiet.more',
		{ key: 'more', 'aria-expanded': String(open), onclick },
		open ? t('show_fewer') : t('showAll', { n }),
	);

export function copyButton(text, label = t('copy'), style = 'button.button') {
	const button = h(
		style,
		{
			key: `copy-${label}`,
			'aria-live': 'polite',
			onclick: async () => {
				button.textContent = (await copy(text())) ? t('copied') : t('select');
				setTimeout(() => {
					button.textContent = label;
				}, 1500);
			},
		},
		label,
	);
	return button;
}

export const linkButton = () => copyButton(() => linkTo(), t('copy_link'));

// `<request-code>`: the very `.request` as curl and as fetch, folded on a phone.
class RequestCode extends HTMLElement {
	#way = 'curl';
	#open;
	#request;

	set request(request) {
		this.#request = request;
		this.draw();
	}

	draw() {
		const code = this.#way === 'curl' ? asCurl(this.#request) : asFetch(this.#request);
		redraw(
			this,
			h(
				'details',
				{
					// Within a table it would part its rows.
					open: this.#open ?? (matchMedia('(min-width: 720px)').matches && !this.closest('table')),
					ontoggle: (event) => {
						this.#open = event.target.open;
					},
				},
				h('summary', { key: 'request' }, t('request')),
				h(
					'div.row',
					segmented({
						label: t('show_as'),
						name: 'way',
						unseen: true,
						options: [
							['curl', 'curl'],
							['fetch', 'fetch'],
						],
						value: this.#way,
						onchange: (way) => {
							this.#way = way;
							this.draw();
						},
					}),
					copyButton(() => code),
				),
				h(
					'pre',
					{ tabindex: '0', role: 'region', 'aria-label': `${t('code')}: ${this.#request.path}` },
					h('code', code),
				),
			),
		);
	}
}
customElements.define('request-code', RequestCode);
