import { button, entry, h, select } from '../kit.js';
import { isNotation, ofNotation } from './notation.js';
import { BOXES } from './position.js';
import { t } from './texts.js';

const EMPTY = { rolls: ['', '', ''], keeps: ['', ''], box: BOXES[0] };

// Enters a turn in fields; `onturn(line)` gets it as a line of notation.
export class TurnForm {
	root = h('details.stack');
	#turn = structuredClone(EMPTY);
	#fault;

	constructor(onturn) {
		this.onturn = onturn;
	}

	draw() {
		const { rolls, keeps, box } = this.#turn;
		const part = (list, i, name, fault) =>
			entry({
				label: t(name, { n: i + 1 }),
				name: `${name}-${i}`,
				inputmode: 'numeric',
				maxlength: 5,
				value: list[i],
				faults: fault ? [fault] : [],
				oninput: ({ target }) => {
					list[i] = target.value;
				},
			});
		this.root.replaceChildren(
			h('summary', { key: 'form' }, t('byForm')),
			h(
				'div.turn-form',
				[0, 1, 2].map((i) => [
					part(rolls, i, 'rollN', i === 0 && this.#fault),
					i < 2 ? part(keeps, i, 'keptN') : h('i'),
				]),
			),
			select({
				label: t('box'),
				name: 'box',
				options: BOXES.map((name) => [name, t(name)]),
				value: box,
				onchange: (name) => {
					this.#turn.box = name;
				},
			}),
			button('add', t('add_turn'), () => this.#add()),
		);
	}

	#add() {
		const { rolls, keeps, box } = this.#turn;
		const count = rolls.findLastIndex((roll) => roll.trim()) + 1;
		const parts = rolls.slice(0, count).map((roll, i) => `${roll} ${i < count - 1 ? keeps[i] || '-' : box}`);
		const line = parts.join(' / ');
		this.#fault = count ? null : t('noRoll');
		try {
			if (count && isNotation(line))
				ofNotation(line, (_, near) => {
					throw new SyntaxError(near);
				});
		} catch {
			this.#fault = t('noRoll');
		}
		if (!this.#fault) {
			this.#turn = structuredClone(EMPTY);
			this.onturn(line);
		}
		this.draw();
		this.root.querySelector('input').focus();
	}
}
