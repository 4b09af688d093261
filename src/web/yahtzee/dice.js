import { h, s } from '../kit.js';
import { t } from './texts.js';

const PIPS = ['', '4', '08', '048', '0268', '02468', '023568'];
const AT = [27, 50, 73];

const square = () => s('rect', { x: 3, y: 3, width: 94, height: 94, rx: 20 });

export const face = () => 1 + Math.floor(Math.random() * 6);

// One die, blank where the face is 0; a face that no die has is written out.
export function die(face) {
	if (face === 0) return s('svg.die.unknown', { viewBox: '-2 -2 104 104', 'aria-hidden': 'true' }, square());
	const marks = PIPS[face]
		? [...PIPS[face]].map((pip) => s('circle', { cx: AT[pip % 3], cy: AT[Math.floor(pip / 3)], r: 9.5 }))
		: s('text', { x: 50, y: 64, 'text-anchor': 'middle', 'font-size': 40 }, String(face).slice(0, 3));
	return s('svg.die', { viewBox: '-2 -2 104 104', 'aria-hidden': 'true' }, square(), marks);
}

export const smallDice = (faces) =>
	h('span.small-dice', { role: 'img', 'aria-label': faces.join(' ') }, faces.map(die));

// The five dice. `marks[i]` is true (kept), false (rerolled) or absent; `onclick(i, button)` and `ondigit(i, face)`
// make them buttons that can be set; `pressed[i]` makes them toggles. `rolled[i]` lets a die roll once.
export function diceRow({ dice, marks = [], pressed, rolled = [], onclick, ondigit }) {
	return h(
		'div.dice',
		{ role: 'group', 'aria-label': t('dice') },
		dice.slice(0, 5).map((face, i) => {
			const mark = marks[i] === undefined ? '' : marks[i] ? 'kept' : 'rerolled';
			const word = mark && t(mark);
			return h(
				`div.place${mark && `.${mark}`}${rolled[i] ? '.rolled' : ''}`,
				h(
					'button.die-button',
					{
						key: `die-${i}`,
						'aria-disabled': !onclick && 'true',
						'aria-pressed': pressed && String(Boolean(pressed[i])),
						'aria-label': [face === 0 ? t('unknownDie', { n: i + 1 }) : t('die', { n: i + 1, face }), word]
							.filter(Boolean)
							.join(', '),
						onclick: (event) => onclick?.(i, event.currentTarget),
						onkeydown: ({ key }) => /^[1-6]$/.test(key) && ondigit?.(i, Number(key)),
					},
					die(face),
				),
				h('span.word', { 'aria-hidden': 'true' }, word),
			);
		}),
	);
}

export function holding({ position, held, fresh, locked, onhold, onroll }) {
	const left = position.rolls_left;
	const rest = held.filter((hold) => !hold).length;
	const idle = locked || left === 0 || rest === 0;
	return [
		diceRow({
			dice: position.dice,
			rolled: fresh,
			pressed: left > 0 && held,
			marks: left > 0 ? held.map((hold) => hold || undefined) : [],
			onclick: (i) => left > 0 && !locked && onhold(held.with(i, !held[i])),
		}),
		h(
			'div.row.roll',
			// Not `disabled`: the button keeps the focus from roll to roll.
			h(
				'button.button.primary',
				{ key: 'roll', 'aria-disabled': idle && 'true', onclick: () => idle || onroll() },
				left > 0 ? t('rollAgain', { n: rest }) : t('no_rolls_left'),
			),
			h('span.small', left > 0 ? t('holdHelp', { n: left }) : t('scoreHelp')),
		),
	];
}
