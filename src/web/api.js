// Asking the service, and showing how: a request is `{method, path, body, headers}`, its path relative to the page.

import { language, texts } from './i18n.js';

const t = texts({
  en: {
    unreachable: 'The service cannot be reached. Is it running?',
    odd: 'The service answered {status} without saying why.',
  },
  zh: {
    unreachable: '无法连接服务。它在运行吗？',
    odd: '服务返回了 {status}，没有说明原因。',
  },
});

const ATTEMPTS = 8;

/** What the service refused (application/problem+json), or why it could not be asked. `errors` lists faults with their pointers. */
export class Problem extends Error {
  constructor({ status = 0, code = '', title = '', detail = '', errors = [] }) {
    super(detail || title);
    Object.assign(this, { status, code, title, errors });
  }

  /** The sentences about the field at `pointer` and below it. */
  at(pointer) {
    return this.errors.filter((e) => e.pointer === pointer || e.pointer.startsWith(`${pointer}/`)).map((e) => e.detail);
  }

  /** The sentences that concern none of `pointers`: all that a page must show elsewhere. */
  elsewhere(pointers) {
    const told = (e) => pointers.some((p) => e.pointer === p || e.pointer.startsWith(`${p}/`));
    const rest = this.errors.filter((e) => !told(e)).map((e) => e.detail);
    return this.errors.length ? rest : [this.message];
  }
}

/** A request by POST. */
export const post = (path, body) => ({ method: 'POST', path, body });

/** A request by GET; `query` is an object or URLSearchParams. */
export const get = (path, query = {}) => {
  const search = new URLSearchParams(query).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return { method: 'GET', path: search ? `${path}?${search}` : path };
};

function address(request) {
  const url = new URL(request.path, document.baseURI);
  url.hash = '';
  url.search = [url.search.slice(1), `lang=${language()}`].filter(Boolean).join('&');
  return url.href;
}

/** Sends a request as it is; the caller reads the response. Throws a Problem only where there is no answer at all. */
export async function send(request, { signal } = {}) {
  const headers = { ...request.headers };
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  try {
    return await fetch(address(request), { method: request.method, headers, body, signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem({ code: 'unreachable', detail: t('unreachable') });
  }
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The answer to a request. Throws a Problem. Waits where the service is only just starting (503 with Retry-After). */
export async function ask(request, { signal } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(request, { signal });
    if (response.ok) return response.status === 204 ? null : response.json();
    const wait = Number(response.headers.get('retry-after'));
    if (response.status === 503 && wait > 0 && attempt < ATTEMPTS) {
      await pause(Math.min(wait, 5));
      signal?.throwIfAborted();
      continue;
    }
    const told = await response.json().catch(() => ({}));
    throw new Problem({ detail: t('odd', { status: response.status }), ...told, status: response.status });
  }
}

/** The latest of a row of questions: a new one cancels the one before. `await latest(request)` is null where it was overtaken. */
export function latest() {
  let controller;
  return async (request) => {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    try {
      const answer = await ask(request, { signal });
      return signal.aborted ? null : answer;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  };
}

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a command line. */
export function asCurl(request) {
  const lines = [`curl -s ${quoted(address(request))}`];
  if (request.method !== 'GET' && request.method !== 'POST') lines[0] += ` -X ${request.method}`;
  if (request.method === 'POST' && request.body === undefined) lines[0] += ' -X POST';
  for (const [name, value] of Object.entries(request.headers ?? {})) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (request.body !== undefined) {
    lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(request.body))}`);
  }
  return lines.join(' \\\n  ');
}

/** The request as a script. */
export function asFetch(request) {
  const headers = { ...request.headers, ...(request.body === undefined ? {} : { 'content-type': 'application/json' }) };
  const named = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const options = [
    request.method === 'GET' ? '' : `  method: '${request.method}',\n`,
    named.length ? `  headers: {${named.join(', ')}},\n` : '',
    request.body === undefined ? '' : `  body: JSON.stringify(${JSON.stringify(request.body)}),\n`,
  ].join('');
  const call = options ? `fetch('${address(request)}', {\n${options}})` : `fetch('${address(request)}')`;
  return `const response = await ${call};\nconst answer = await response.json();`;
}
