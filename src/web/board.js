import { ask, Problem } from './api.js';
import { announce, h, redraw } from './dom.js';
import { segmented } from './elements.js';
import { follow, hrefOf } from './url.js';

// Milliseconds after which a view is drawn without its answer; a faster one comes without a flicker.
const PATIENCE = 120;
// The same for a view that shows nothing yet: what comes late would move what is there.
const AT_FIRST = 1000;

export class Board {
	dice = h('section.panel.stack.dice-panel');
	answer = h('section.panel.stack.answer-panel');
	card = h('section.panel.stack.card-panel');
	code = h('request-code.panel', { hidden: true });
	problem = null;
	faults = (pointer) => this.problem?.at(pointer);
	// Whether an answer is awaited: what is shown may be older.
	waiting = false;
	#controller;

	// `cardFirst`: on a phone the card follows the dice, else the answer does.
	constructor({ cardFirst = false } = {}) {
		this.side = h('div.side', this.answer, this.code);
		this.root = h('div.board', this.dice, cardFirst ? [this.card, this.side] : [this.side, this.card]);
	}

	wait(whether) {
		this.waiting = whether;
		this.root.ariaBusy = whether;
	}

	stop() {
		this.#controller?.abort();
		this.wait(false);
	}

	// Asks, shows the request, gives the answer to `take(answer)` (null if there is a problem), and draws. A new
	// question cancels the one before, but `late(answer)` hears what that has made. `request` may be a function.
	async ask(request, take, late) {
		this.stop();
		this.#controller = new AbortController();
		const { signal } = this.#controller;
		this.wait(true);
		const slow = setTimeout(() => this.draw(), this.dice.hasChildNodes() ? PATIENCE : AT_FIRST);
		let answer = null;
		let problem = null;
		try {
			if (typeof request === 'function') request = await request();
			signal.throwIfAborted();
			answer = await ask(request, { signal, whole: late });
			if (signal.aborted) return late?.(answer);
		} catch (error) {
			if (signal.aborted) return;
			if (!(error instanceof Problem)) throw error;
			problem = Object.assign(error, { retry: () => this.ask(request, take, late) });
		} finally {
			clearTimeout(slow);
		}
		this.wait(false);
		this.problem = problem;
		this.code.hidden = !request.path;
		if (request.path) this.code.request = request;
		await take(answer);
		if (problem) announce(problem.message);
		this.draw();
	}
}

// A tab of several views, `{name: view}`, by `mode` in the address. A view has `root`, `query` (its state), `restore`
// and `render`; `t` names the views and their choice (`mode`).
export const tabOf = (game, t, views) =>
	class extends HTMLElement {
		#mode;
		#head = h('div.modes');

		restore(query) {
			const asked = query.get('mode') ?? '';
			this.#mode = Object.hasOwn(views, asked) ? asked : Object.keys(views)[0];
			this.#drawHead();
			// The choice of a view is not moved, so it keeps its focus.
			if (this.#head.parentNode !== this) this.append(this.#head);
			const { root } = views[this.#mode];
			if (this.lastElementChild === this.#head) this.append(root);
			else if (this.lastElementChild !== root) this.lastElementChild.replaceWith(root);
			views[this.#mode].restore(query);
		}

		render() {
			this.#drawHead();
			views[this.#mode].render();
		}

		#drawHead() {
			redraw(
				this.#head,
				segmented({
					label: t('mode'),
					name: 'mode',
					unseen: true,
					value: this.#mode,
					options: Object.keys(views).map((mode) => [mode, t(mode)]),
					onchange: (mode) => follow(hrefOf(game, views[mode].query)),
				}),
			);
		}
	};
