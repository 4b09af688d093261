import {
	announce,
	ask,
	button,
	entry,
	get,
	h,
	linkButton,
	moreButton,
	noAnswer,
	problemNote,
	redraw,
	remember,
	segmented,
	select,
} from '../kit.js';
import { hintRows, leastPlays, nameOf } from './answer.js';
import { cardName, deck, fan, RANKS, seats, tokensOf, written } from './cards.js';
import {
	dealt,
	handText,
	held,
	minPlaysRequest,
	ofQuery,
	playsRequest,
	readingsRequest,
	tokens,
	toQuery,
	typed,
	without,
} from './position.js';
import { t } from './texts.js';

const FEW = 8;
// Milliseconds after a key until the service is asked.
const PAUSE = 250;

// A field that tells every change, but lets a character be composed first.
const typing = (ontext, attributes) =>
	entry({
		...attributes,
		spellcheck: 'false',
		oninput: (event) => event.isComposing || ontext(event.target.value),
		oncompositionend: (event) => ontext(event.target.value),
	});

const answered = (request) =>
	ask(request).then(
		(answer) => ({ request, answer }),
		(problem) => ({ problem }),
	);

function show(code, { request, answer }) {
	code.hidden = !answer;
	if (answer) code.request = request;
}

export default class DoudizhuTab extends HTMLElement {
	#position;
	#played = [];
	#follow = false;
	// `{request, answer}` or `{problem}`; of #now also how the play on the table reads.
	#least = {};
	#now = {};
	#told;
	#presets = [];
	#all = false;
	#wait;
	// Hands before the shown one; whether the last change was typed.
	#past = [];
	#typing = false;
	#bar = h('div.answer-bar');
	#panels = ['.dice-panel', '', ''].map((style) => h(`section.panel.stack${style}`));
	#codes = ['least', 'now'].map(() => h('request-code.panel'));

	connectedCallback() {
		const [hand, least, now] = this.#panels;
		this.replaceChildren(
			h(
				'div.board',
				hand,
				h('div.card-panel.stack', now, this.#codes[1]),
				h('div.side', least, this.#codes[0]),
				this.#bar,
			),
		);
	}

	restore(query) {
		const position = ofQuery(query);
		if (JSON.stringify(position) !== JSON.stringify(this.#position)) this.#played = [];
		this.#position = position;
		this.#follow ||= position.beat !== '';
		this.#ask();
	}

	render() {
		if (this.#position) this.#ask();
	}

	#change(change, pause = 0) {
		this.#position = { ...this.#position, ...change };
		this.#ask(pause);
	}

	// Another hand, of which nothing was played.
	#take(hand, pause) {
		// What is typed on is one step back, not one for each key.
		if (!(pause && this.#typing)) this.#past.push({ position: this.#position, played: this.#played });
		this.#typing = Boolean(pause);
		this.#played = [];
		this.#change(hand, pause);
	}

	#play(play) {
		if (this.#told !== this.#position) return;
		this.#past.push({ position: this.#position, played: this.#played });
		this.#typing = false;
		this.#played = [...this.#played, play];
		this.#follow = false;
		this.#change({ ...without(this.#position, play), beat: '', beat_kind: '' });
	}

	#undo() {
		if (!this.#past.length) return;
		const { position, played } = this.#past.pop();
		this.#typing = false;
		this.#played = played;
		this.#follow = position.beat !== '';
		this.#change(position);
	}

	async #ask(pause = 0, all = false) {
		const position = { ...this.#position };
		this.#position = position;
		this.#all = all;
		this.#draw();
		clearTimeout(this.#wait);
		if (pause) {
			this.#wait = setTimeout(() => this.#ask(), pause);
			return;
		}
		remember('doudizhu', toQuery(position));
		if (!this.#presets.length) this.#presets = (await answered(get('doudizhu/rules'))).answer?.presets ?? [];
		const [least, now] = tokens(position).length
			? await Promise.all([answered(minPlaysRequest(position)), this.#askNow(position)])
			: [{}, {}];
		if (position !== this.#position) return;
		[this.#least, this.#now, this.#told] = [least, now, position];
		this.#draw();
		announce([least, now].map(({ answer }) => answer?.explanation ?? '').join(' '));
	}

	async #askNow(position) {
		const { answer } = position.beat ? await answered(readingsRequest(position)) : {};
		const readings = answer?.readings ?? [];
		const kinds = readings.map((reading) => reading.kind);
		const kind = kinds.includes(position.beat_kind) ? position.beat_kind : kinds[0];
		return { readings, kind, ...(await answered(playsRequest(position, kinds.length > 1 && kind, this.#all))) };
	}

	#draw() {
		show(this.#codes[0], this.#least);
		show(this.#codes[1], this.#now);
		this.#drawHand();
		this.#drawLeast();
		this.#drawNow();
	}

	#drawHand() {
		const { rules } = this.#position;
		const cards = tokens(this.#position);
		const presets = new Map(this.#presets.map((preset) => [preset.id, nameOf(preset).split(/: |：/)]));
		const at = (pointer) => this.#least.problem?.at?.(pointer) ?? [];
		const own = seats(cards);
		redraw(
			this.#panels[0],
			h(
				'div.heading',
				h('h2', t('hand', { n: cards.length })),
				h(
					'div',
					h(
						'button.quiet',
						{ key: 'undo', 'aria-disabled': !this.#past.length && 'true', onclick: () => this.#undo() },
						t('undo'),
					),
					button('clear', t('clear'), () => this.#take(typed('')), 'button.quiet'),
				),
			),
			deck({
				held: own,
				onclick: (id) => this.#take(held(own.has(id) ? [...own].filter((other) => other !== id) : [...own, id])),
			}),
			typing((text) => this.#take(typed(text), PAUSE), {
				label: t('type'),
				name: 'hand',
				value: handText(this.#position),
				faults: [...at('/hand'), ...at('/cards')],
				hint: t('typeHelp'),
			}),
			h(
				'div.row',
				[17, 20].map((n) => button(`deal-${n}`, t('deal', { n }), () => this.#take(dealt(n)))),
				linkButton(),
			),
			select({
				label: t('rules'),
				name: 'rules',
				value: rules,
				faults: at('/rules'),
				onchange: (id) => this.#change({ rules: id }),
				options: [...presets].map(([id, [name]]) => [id, name]),
				hint: presets.get(rules)?.[1],
			}),
		);
	}

	#drawLeast() {
		const { answer, problem } = this.#least;
		const played = this.#played.length;
		redraw(
			this.#panels[1],
			h('h2', t('answer')),
			answer
				? leastPlays(answer)
				: problem
					? noAnswer(problem)
					: h('p.soft', played ? t('out', { n: played }) : t('noCards')),
		);
	}

	#drawNow() {
		const { answer, problem } = this.#now;
		const last = this.#played.at(-1);
		redraw(
			this.#panels[2],
			h('h2', t('now')),
			last && h('div.row.last-play', h('span.soft', t('played')), fan(last), nameOf(last)),
			segmented({
				label: t('now'),
				name: 'follow',
				unseen: true,
				options: [
					[false, t('you_lead')],
					[true, t('beat_a_play')],
				],
				value: this.#follow,
				onchange: (follow) => {
					this.#follow = follow;
					this.#change({ beat: '', beat_kind: '' });
				},
			}),
			this.#follow && this.#table(),
			!this.#least.problem && problemNote(problem),
			answer && [
				h('p', answer.explanation),
				h('p.small', t('alone')),
				answer.total > 0 && h('h3', t('costs', { n: answer.total })),
				hintRows(answer, {
					shown: this.#all ? answer.total : FEW,
					pass: this.#position.beat !== '',
					onpick: (play) => this.#play(play),
				}),
				answer.total > FEW && moreButton(this.#all, answer.total, () => this.#ask(0, !this.#all)),
				answer.total > 1 && h('p.small', t('ties')),
			],
		);
		const best = answer?.plays[0];
		redraw(
			this.#bar,
			answer && [
				best ? [t('playNow'), fan(best)] : t('pass'),
				h('span.soft', t('left', { n: best?.min_plays_left ?? answer.min_plays })),
			],
		);
		this.#bar.hidden = !answer;
	}

	#table() {
		const { beat, beat_kind: beatKind } = this.#position;
		const { problem, readings = [], kind } = this.#now;
		const set = (text, pause) => this.#change({ beat: text, beat_kind: '' }, pause);
		const key = (id, sign, name, text) =>
			button(`key-${id}`, [h('span.unseen', name), h('span', { 'aria-hidden': 'true' }, sign)], () => set(text));
		const names = [...new Map(readings.map((reading) => [reading.kind, nameOf(reading)]))];
		return [
			typing((text) => set(text, PAUSE), {
				label: t('beat'),
				name: 'beat',
				value: beat,
				faults: problem?.at?.('/beat'),
			}),
			h(
				'div.keys',
				RANKS.map((rank) => key(rank, written(rank), cardName({ rank }), beat + rank)),
				key('rub', '⌫', t('rub'), tokensOf(beat).slice(0, -1).join('')),
			),
			names.length > 0 &&
				segmented({
					label: t('read_as'),
					name: 'kind',
					options: names,
					value: beatKind || kind,
					onchange: (chosen) => this.#change({ beat_kind: chosen }),
				}),
		];
	}
}
