import {
	announce,
	Board,
	curve,
	field,
	figures,
	gradeName,
	gradeOf,
	h,
	hrefOf,
	linkButton,
	noAnswer,
	number,
	Problem,
	post,
	punctuated,
	redraw,
	remember,
	signed,
	table,
	verdict,
} from '../kit.js';
import { decisionRows } from './answer.js';
import { Distribution } from './distribution.js';
import { movesOfText, replay, turnsOf } from './game.js';
import { isNotation, ofNotation, toNotation } from './notation.js';
import { cardOf, nameOf, toQuery } from './position.js';
import { rulesFields, rulesOfText, rulesText } from './rules.js';
import { t } from './texts.js';
import { TurnForm } from './turn_form.js';

// Milliseconds after a key until the service is asked.
const PAUSE = 400;
const PLAYED = turnsOf(
	replay({
		seed: '5',
		rules: 'official',
		moves: movesOfText(
			'8-18-A2-3-15-G25-5-26-E20-10-27-D16-14-19-K40-J30-3-20-C9-14-30-H11-12-12-' +
				'I25-24-24-B6-7-0-L0-20-22-F18-3-15-M24',
		),
	}).decisions,
);
const EXAMPLE = toNotation(PLAYED);

export const reviewRequest = (game, rules) =>
	post('yahtzee/review', { ...game, rules: rules === 'official' ? undefined : rules });

function cardAfter(review, count, rules) {
	const played = review.turns.slice(0, count);
	return {
		scorecard: Object.fromEntries(played.map((turn) => [turn.category, turn.box_points])),
		yahtzee_bonuses: played.filter((turn) => turn.yahtzee_bonus > 0).length,
		rules,
		objective: 'game',
	};
}

const isOver = (review) => review.turns.length === 13;

// What could come in a whole game, with the score that came; in a part what can still come.
export const likelyAfter = (review, rules) =>
	review && [
		cardOf(cardAfter(review, isOver(review) ? 0 : 13, rules)),
		isOver(review) ? review.totals.points_so_far : undefined,
	];

// What could be expected, in steps of one decision; above it the sum of all mistakes so far. What a decision lost is
// a mark that leads to it.
function curveOf(review, rules) {
	const {
		turns,
		totals: { start_value: exact },
	} = review;
	let [value, lost] = [exact, 0];
	const points = [];
	const marks = [];
	const put = (x) => points.push([x, value, [value, value + lost]]);
	for (const [turn, { decisions }] of turns.entries()) {
		for (const [i, { luck, loss, dice, rolls_left, chosen, grade }] of decisions.entries()) {
			const x = turn + i / decisions.length;
			put(x);
			value += luck - loss;
			lost += loss;
			put(x);
			if (grade === 'best') continue;
			const position = { dice, rolls_left, ...cardAfter(review, turn, rules), chosen: nameOf(chosen) };
			marks.push({
				x,
				y: value,
				href: hrefOf('yahtzee', toQuery(position)),
				label: `${t('turnN', { n: turn + 1 })}: ${gradeName(grade)} ${signed(-loss)}`,
				style: `grade-${grade}`,
			});
		}
	}
	put(turns.length);
	const domain = [
		Math.min(...points.map((point) => point[1])) - 4,
		Math.max(...points.map((point) => point[2][1])) + 4,
	];
	return h('drawn-chart.course', {
		draw: (width) =>
			curve({
				width,
				points,
				exact,
				domain,
				marks,
				label: t('expected_final_score'),
				units: [t('turns'), t('expected_final_score')],
				x: (turn) => number(turn, Number.isInteger(turn) ? 0 : 1),
				y: (score) => number(score, 0),
			}),
	});
}

export const tally = (start, luck, loss, ...rest) =>
	figures([[t('atStart'), number(start, 2)], [t('byLuck'), signed(luck)], [t('mistakes'), signed(-loss)], ...rest]);

export function sumOf(review, rules) {
	const { start_value: start, luck, loss, points_so_far: points, remaining_value: left } = review.totals;
	const worst = review.worst.map((advice) => ({
		position: { ...advice, ...cardAfter(review, advice.turn - 1, rules), chosen: nameOf(advice.chosen) },
		turn: advice.turn - 1,
		advice,
	}));
	return [
		h('h2', t('worst')),
		worst.length ? decisionRows(worst, true) : h('p', t('flawless')),
		h('h2', t('tally')),
		tally(
			start,
			luck,
			loss,
			[t(isOver(review) ? 'final_score' : 'points_so_far'), number(points)],
			!isOver(review) && [t('toCome'), number(left, 2)],
		),
		curveOf(review, rules),
		h('p.small', t('curves')),
	];
}

export const turnsTable = ({ turns }) =>
	table(
		['turns', 'box_points', 'byLuck', 'mistakes'].map((name) => t(name)),
		turns.map(({ category, points, luck, loss, decisions }, i) => [
			`${i + 1} ${t(category)}`,
			points,
			signed(luck),
			[verdict(gradeOf(Math.max(...decisions.map((decision) => decision.loss)))), loss > 0 && ` ${signed(-loss)}`],
		]),
	);

// Where in a pasted game a pointer leads, before what is said of it.
function placed({ pointer, detail }) {
	const [, , turn, part, roll, die] = pointer.split('/');
	const name = (key, at) => at && t(key, { n: Number(at) + 1 });
	const place = [name('turnN', turn), name(part, roll), name('dieN', die)].filter(Boolean).join(', ');
	return punctuated(place && `${place}: `) + detail;
}

// Why a text is no game: by the browser's own words on its JSON, if any.
function misread(text, message = text) {
	const [said, near = said] = message.split(/(\.*".*"\.*)/s);
	const [, line, column] = /line (\d+) column (\d+)/.exec(said) ?? [];
	const cut = said.includes(`position ${text.length} `) || /end of|EOF|unterminated str/i.test(said);
	const detail = t(cut ? 'cutOff' : line ? 'wrongAt' : 'noGame', {
		line,
		column,
		near: shortened(near),
	});
	return unread(detail);
}

const unread = (detail) => new Problem({ errors: [{ pointer: '/turns', detail: `${detail}\n${t('toPaste')}` }] });

const shortened = (text) => text.replace(/(.{40}).+/su, '$1…');

export class Review extends Board {
	// What was pasted; nothing where the example is shown.
	#text = '';
	#rules = 'official';
	#review;
	#wait;
	#distribution = new Distribution(this);
	#form = new TurnForm((line) => {
		this.#text = [isNotation(this.#text) && this.#text.trim(), line].filter(Boolean).join('\n');
		this.render();
	});

	get query() {
		return {
			mode: 'review',
			rules: rulesText(this.#rules),
			turns: isNotation(this.#text) ? this.#text.trim() : this.#text.replace(/\s/g, ''),
		};
	}

	restore(query) {
		this.#text = query.get('turns') ?? '';
		this.#rules = rulesOfText(query.get('rules'));
		this.render(!query.get('rules'));
	}

	#game() {
		let game;
		const text = this.#text.trim() || EXAMPLE;
		if (isNotation(text))
			return {
				turns: ofNotation(text, (n, near) => {
					throw unread(t('badLine', { n, near: shortened(near) }));
				}),
				rules: this.#rules,
			};
		try {
			game = JSON.parse(text);
		} catch ({ message }) {
			throw misread(this.#text, message);
		}
		if (Array.isArray(game)) game = { turns: game, rules: this.#rules };
		if (game?.constructor !== Object) throw misread(this.#text);
		return game;
	}

	// What was `pasted` may bring rules.
	render(pasted) {
		this.ask(
			() => {
				const game = this.#game();
				if (pasted) this.#rules = rulesOfText(JSON.stringify(game.rules));
				remember('yahtzee', this.query);
				return reviewRequest(game, this.#rules);
			},
			(review) => {
				this.#review = review;
				announce(review && `${t('mistakes')} ${number(review.totals.loss, 2)}`);
			},
		);
	}

	draw() {
		const review = this.#review;
		if (!this.#form.root.contains(document.activeElement)) this.#form.draw();
		const oninput = ({ target }) => {
			this.#text = target.value;
			clearTimeout(this.#wait);
			this.#wait = setTimeout(() => this.render(true), PAUSE);
		};
		redraw(
			this.dice,
			h(
				'div.heading',
				h('h2', t('review')),
				this.#text && h('a.quiet', { key: 'example', href: hrefOf('yahtzee', { mode: 'review' }) }, t('example')),
			),
			field({
				label: t('paste'),
				hint: t('pasteHelp'),
				faults: this.problem?.at('/turns', placed),
				control: h('textarea', { key: 'game', rows: 13, spellcheck: 'false', value: this.#text || EXAMPLE, oninput }),
			}),
			this.#form.root,
			rulesFields(
				() => this.#rules,
				(rules) => {
					this.#rules = rules;
					this.render();
				},
				this.faults,
			),
			h('div.row', linkButton()),
		);
		redraw(this.answer, review ? sumOf(review, this.#rules) : [h('h2', t('tally')), noAnswer(this.problem)]);
		redraw(this.card, review && [h('h2', t('turns')), turnsTable(review)]);
		this.card.hidden = !review;
		this.#distribution.show(...(likelyAfter(review, this.#rules) ?? []));
	}
}
