import { announce, h, hrefOf, linkButton, number, percent, post, problemNote, redraw, verdict } from '../kit.js';
import { t } from './texts.js';
import { bodyOf, facts, View } from './wager.js';

export const EXAMPLE = {
	bet: 'pass_line',
	odds: '3-4-5x',
	bankroll: '50',
	target: '100',
	max_rounds: '200',
	stake: '1',
	when_short: 'stop',
};
export const NAMES = Object.keys(EXAMPLE);
// The three ends, each with the grade of its colour.
export const ENDS = { success: 'best', still_playing: 'inaccuracy', ruin: 'blunder' };

export class Bankroll extends View {
	mode = 'bankroll';
	state = { ...EXAMPLE };
	#answer;

	load() {
		this.ask(post('craps/bankroll', bodyOf(this.state, NAMES)), (answer) => {
			this.#answer = answer;
			if (answer)
				announce(
					Object.keys(ENDS)
						.map((end) => `${t(end)} ${percent(answer[end].value, 2)}`)
						.join(', '),
				);
		});
	}

	draw() {
		const answer = this.#answer;
		const ends = Object.entries(ENDS);
		redraw(
			this.dice,
			h('h2', t('bankroll')),
			this.fields('bet', 'odds'),
			this.fields(...NAMES.slice(2)),
			h('div.row', linkButton()),
		);
		const note = problemNote(this.problem);
		this.answer.hidden = !answer && !note;
		redraw(
			this.answer,
			h('h2', t('exact_answer')),
			note,
			answer && [
				h('p', t('fate', { success: percent(answer.success.value), ruin: percent(answer.ruin.value) })),
				h(
					'div.shares',
					ends.map(([end, grade]) => h(`i.grade-${grade}`, { style: { 'flex-grow': answer[end].value } })),
				),
				facts([
					...ends.map(([end, grade]) => [verdict(grade, t(end)), percent(answer[end].value, 4), answer[end].fraction]),
					...['expected_rounds', 'mean_final'].map((name) => [
						t(name),
						number(answer[name].value, 4),
						answer[name].fraction,
					]),
				]),
				h(
					'p',
					h('a', { href: hrefOf('craps', { ...this.query, mode: 'simulation', kind: 'sessions' }) }, t('simulation')),
				),
			],
		);
	}
}
