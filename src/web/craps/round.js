import { amount, announce, button, h, linkButton, post, problemNote, redraw } from '../kit.js';
import { die, face, smallDice } from '../yahtzee/dice.js';
import { betName } from './names.js';
import { t } from './texts.js';
import { betOf, View } from './wager.js';

export class Round extends View {
	mode = 'round';
	// The rolls so far, as `44,61`; or the seed that fixes them all.
	state = { rolls: '44', seed: '', dice: '' };
	#steps = [];

	async restore(query) {
		const { rolls = '', seed = '' } = query.has('rolls') || query.has('seed') ? Object.fromEntries(query) : this.state;
		await this.listed();
		if (this.#steps.length && rolls === this.state.rolls && seed === this.state.seed) this.render();
		else if (seed) this.change({ seed });
		else {
			this.#steps = [];
			this.problem = null;
			for (const roll of rolls.split(',')) if (!this.problem) await this.#roll([...roll].map(amount));
		}
	}

	render() {
		this.keep({});
		this.draw();
	}

	change({ dice, seed }) {
		if (dice) this.#roll((dice.match(/\d/g) ?? [dice]).map(amount));
		if (seed) this.#take({ seed: amount(seed) }, ({ rolls }) => [rolls, { rolls: '', seed }]);
	}

	// One roll; after a round the first of the next.
	#roll(dice) {
		const before = this.#over ? [] : this.#steps;
		return this.#take({ state: before.at(-1)?.state ?? { phase: 'come_out' }, dice }, (step) => {
			const steps = [...before, step];
			return [steps, { rolls: steps.map((one) => one.dice.join('')).join(), seed: '' }];
		});
	}

	#take(body, take) {
		return this.ask(post('craps/round', body), (answer) => {
			if (!answer) return;
			const [steps, state] = take(answer);
			this.#steps = steps;
			this.keep(state);
			announce(`${steps.at(-1).total}: ${t(steps.at(-1).event, steps.at(-1).state)}`);
		});
	}

	get #over() {
		return ['won', 'lost'].includes(this.#steps.at(-1)?.state.phase);
	}

	draw() {
		const { dice, event = 'come_out', state } = this.#steps.at(-1) ?? {};
		const point = state?.point;
		const puck = (on) => h(`span.puck.${on}`, t(on));
		redraw(
			this.dice,
			h('h2', betName(betOf('pass_line'))),
			h(
				'div.rail',
				{ role: 'img', 'aria-label': t(point ? 'point_set' : 'come_out', { point }) },
				h('span', !point && puck('off')),
				[4, 5, 6, 8, 9, 10].map((n) => h('span', n, n === point && puck('on'))),
			),
			dice && h('div.pair.rolled', { role: 'img', 'aria-label': dice.join(' ') }, dice.map(die)),
			h(
				'div.row',
				button(
					'roll',
					t(this.#over ? 'new_round' : 'roll_dice'),
					() => this.#roll([face(), face()]),
					'button.button.primary',
				),
				h('b', t(event, state)),
			),
			this.fields('dice', 'seed'),
			h('div.row', linkButton()),
			problemNote(this.problem ?? this.unlisted),
		);
		redraw(
			this.answer,
			h('h2', t('history')),
			h(
				'ol.history',
				this.#steps.map((step) => h('li.row', smallDice(step.dice), h('b', step.total), t(step.event, step.state))),
			),
		);
	}
}
