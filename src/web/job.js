import { ask, get } from './api.js';
import { announce, h } from './dom.js';
import { number, texts } from './i18n.js';

const t = texts({
	progress: '进度', cancel: '取消', queued: ['Waiting', '排队中'], running: '运行中', succeeded: ['Finished', '已完成'], failed: '失败', cancelled: '已取消',
});

export class Job {
	// The job as it was last heard of.
	now;
	#path;
	#take;
	#events;
	// Kept while a job runs: its button must not move.
	#bar = h('i');
	#track = h('div.progress', { role: 'progressbar' }, this.#bar);
	#cancel = h('button.button', { onclick: () => this.end() });
	#line = h('p.small');
	root = h('div.stack', { hidden: true }, h('div.row', this.#track, this.#cancel), this.#line);

	// Jobs below `path`; `take(job)` hears news, and returns what is counted.
	constructor(path, take) {
		this.#path = (rest = '') => `${path}/${this.now.id}${rest}`;
		this.#take = take;
		addEventListener('pagehide', () => this.busy && navigator.sendBeacon(this.#path('/cancel')));
	}

	get busy() {
		return ['queued', 'running'].includes(this.now?.status);
	}

	// Hears of a job, or of none any more; asks for it where the stream is refused.
	follow(job) {
		this.#events?.close();
		this.now = job;
		this.draw();
		if (!job) return;
		announce(this.#line.textContent);
		const events = new EventSource(this.#path('/events'));
		this.#events = events;
		const news = (told) => {
			if (events !== this.#events) return;
			this.now = told;
			this.draw();
			if (this.busy) return;
			events.close();
			announce(this.#line.textContent);
		};
		for (const name of ['progress', 'succeeded', 'failed', 'cancelled']) events.addEventListener(name, ({ data }) => news(JSON.parse(data)));
		events.onerror = async () => events.readyState === EventSource.CLOSED && news(await ask(get(this.#path())));
	}

	end() {
		if (this.busy) ask({ method: 'POST', path: this.#path('/cancel') }).catch(() => null);
	}

	draw() {
		const job = this.now;
		this.root.hidden = !job;
		if (!job) return;
		const { done, total } = job.progress;
		const share = `${(100 * done) / total}%`;
		this.#track.setAttribute('aria-label', t('progress'));
		this.#track.setAttribute('aria-valuenow', parseInt(share, 10));
		this.#bar.style.width = share;
		this.#cancel.textContent = t('cancel');
		this.#cancel.hidden = !this.busy;
		this.#line.textContent = `${job.error?.detail ?? t(job.status)} · ${number(done)} / ${number(total)} ${this.#take(job)}`;
	}
}
