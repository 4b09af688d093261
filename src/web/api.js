import { language, texts } from './i18n.js';
import { plain } from './url.js';

const t = texts({
	unreachable: ['The service cannot be reached. Is it running?', '无法连接服务。它在运行吗？'],
	odd: ['The service answered {status} without saying why.', '服务返回了 {status}，没有说明原因。'],
});

const ATTEMPTS = 8;

// What the service rejected, or why it could not be reached; `errors` are faults with their pointers.
export class Problem extends Error {
	#told = new Set();

	constructor({ status = 0, title = '', detail = '', errors = [] }) {
		super(detail || title);
		Object.assign(this, { status, errors });
	}

	// The sentences about a field, as `write(error)` gives them.
	at(pointer, write = (error) => error.detail) {
		const found = this.errors.filter((error) => `${error.pointer}/`.startsWith(`${pointer}/`));
		for (const error of found) this.#told.add(error);
		return found.map(write);
	}

	// The sentences that no field has asked for.
	get rest() {
		return this.errors.length
			? this.errors.filter((error) => !this.#told.has(error)).map((error) => error.detail)
			: [this.message];
	}
}

export const post = (path, body) => ({ method: 'POST', path, body });

export const get = (path, query = {}) => ({
	method: 'GET',
	path: [path, plain(new URLSearchParams(query))].filter(Boolean).join('?'),
});

function address(request) {
	const url = new URL(request.path, document.baseURI);
	url.search += `${url.search && '&'}lang=${language()}`;
	return url.href;
}

async function send(request, signal) {
	const { method, body } = request;
	try {
		return await fetch(address(request), {
			method,
			headers: body && { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal,
		});
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		throw new Problem({ detail: t('unreachable') });
	}
}

export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// The answer to a request. Throws a Problem. Waits as a 503 asks to. A signal ends a `whole` request only between
// attempts.
export async function ask(request, { signal, whole } = {}) {
	for (let attempt = 1; ; attempt += 1) {
		const response = await send(request, whole ? null : signal);
		const told = await response.json().catch(() => null);
		if (response.ok && (told || response.status === 204)) return told;
		const wait = Number(response.headers.get('retry-after'));
		if (response.status === 503 && wait > 0 && attempt < ATTEMPTS) {
			await pause(Math.min(wait, 5));
			signal?.throwIfAborted();
			continue;
		}
		throw new Problem({ detail: t('odd', { status: response.status }), ...told, status: response.status });
	}
}

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function asCurl(request) {
	const body =
		request.body && ` \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(request.body))}`;
	return `curl -s ${quoted(address(request))}${body ?? ''}`;
}

export function asFetch(request) {
	const json = JSON.stringify;
	const options =
		request.body &&
		`, {
	method: 'POST',
	headers: {"content-type": "application/json"},
	body: JSON.stringify(${json(request.body)}),
}`;
	return `const response = await fetch(${json(address(request))}${options ?? ''});
const answer = await response.json();`;
}
