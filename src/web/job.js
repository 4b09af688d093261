import { ask, get, pause, post } from './api.js';
import { announce, h } from './dom.js';
import { number, texts } from './i18n.js';

const t = texts({
	progress: '进度',
	cancel: '取消',
	queued: ['Waiting', '排队中'],
	running: '运行中',
	succeeded: ['Finished', '已完成'],
	failed: '失败',
	cancelled: '已取消',
});

const isBusy = (job) => ['queued', 'running'].includes(job?.status);

export class Job {
	now;
	#path;
	#take;
	#events;
	// Kept while a job runs: its button must not move.
	#bar = h('i');
	#track = h('div.progress', { role: 'progressbar' }, this.#bar);
	#cancel = h('button.button', { onclick: () => this.end() });
	#line = h('p.small');
	#note = h('p.note', { role: 'alert' });
	root = h('div.stack', { hidden: true }, h('div.row', this.#track, this.#cancel), this.#line);

	// Jobs below `path`; `take(job)` gets each event and returns what is counted.
	constructor(path, take) {
		this.#path = ({ id }, rest = '') => `${path}/${id}${rest}`;
		this.#take = take;
		addEventListener('pagehide', () => this.busy && navigator.sendBeacon(this.#path(this.now, '/cancel')));
	}

	get busy() {
		return isBusy(this.now);
	}

	// Follows a job, or none any more; polls every second if the stream is rejected or breaks.
	follow(job) {
		this.#events?.close();
		this.#events = null;
		this.now = job;
		this.draw();
		if (!job) return;
		announce(this.#line.textContent);
		const events = new EventSource(this.#path(job, '/events'));
		this.#events = events;
		const news = (told) => {
			if (events !== this.#events) return;
			const same = told.error?.detail === this.now.error?.detail;
			this.now = told;
			this.draw();
			if (!this.busy) events.close();
			else if (same) return;
			announce(this.#line.textContent);
		};
		for (const name of ['progress', 'succeeded', 'failed', 'cancelled'])
			events.addEventListener(name, ({ data }) => news(JSON.parse(data)));
		events.onerror = async () => {
			events.close();
			do {
				news(
					await ask(get(this.#path(job))).catch(({ status, message: detail }) => ({
						...this.now,
						...([404, 410].includes(status) && { status: 'failed' }),
						error: { detail },
					})),
				);
				await pause(1);
			} while (events === this.#events && this.busy);
		};
	}

	// Cancels a job, also one that came too late to be followed.
	end(job = this.now) {
		this.#note.remove();
		if (isBusy(job))
			ask(post(this.#path(job, '/cancel'))).catch(({ message }) => {
				this.#note.textContent = message;
				this.root.append(this.#note);
			});
	}

	draw() {
		const job = this.now;
		this.root.hidden = !job;
		if (!this.busy) this.#note.remove();
		if (!job) return;
		const { done, total } = job.progress;
		const share = `${(100 * done) / total}%`;
		this.#track.ariaLabel = t('progress');
		this.#track.ariaValueNow = parseInt(share, 10);
		this.#bar.style.width = share;
		this.#cancel.textContent = t('cancel');
		this.#cancel.hidden = !this.busy;
		const status = job.error?.detail ?? t(job.status);
		this.#line.textContent = `${status} · ${number(done)} / ${number(total)} ${this.#take(job)}`;
	}
}
