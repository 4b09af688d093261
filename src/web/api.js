// Asking the service, and showing how: a request is `{method, path, body, headers}`, its path relative to the page.

import { language, texts } from './i18n.js';
import { plain } from './url.js';

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

const isUnder = (error, pointers) => pointers.some((pointer) => `${error.pointer}/`.startsWith(`${pointer}/`));

/** What the service refused (application/problem+json), or why it could not be asked. `errors` lists faults with their pointers. */
export class Problem extends Error {
  constructor({ status = 0, code = '', title = '', detail = '', errors = [] }) {
    super(detail || title);
    Object.assign(this, { status, code, title, errors });
  }

  /** The sentences about the fields at some pointers and below them. */
  at(...pointers) {
    return this.errors.filter((e) => isUnder(e, pointers)).map((e) => e.detail);
  }

  /** The sentences that concern none of `pointers`: all that a page must show elsewhere. */
  elsewhere(pointers) {
    return this.errors.length ? this.errors.filter((e) => !isUnder(e, pointers)).map((e) => e.detail) : [this.message];
  }
}

export const post = (path, body) => ({ method: 'POST', path, body });

/** `query` is an object or URLSearchParams. */
export const get = (path, query = {}) => ({ method: 'GET', path: [path, plain(new URLSearchParams(query))].filter(Boolean).join('?') });

function address(request) {
  const url = new URL(request.path, document.baseURI);
  url.hash = '';
  url.search = [url.search.slice(1), `lang=${language()}`].filter(Boolean).join('&');
  return url.href;
}

/** Sends a request as it is; the caller reads the response. Throws a Problem only where there is no answer at all. */
export async function send(request, { signal } = {}) {
  try {
    return await fetch(address(request), {
      method: request.method, headers: headersOf(request), body: JSON.stringify(request.body), signal,
    });
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

const headersOf = ({ headers, body }) => ({ ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) });

export function asCurl(request) {
  const { method, body } = request;
  const implied = body === undefined ? 'GET' : 'POST';
  return [
    `curl -s ${quoted(address(request))}${method === implied ? '' : ` -X ${method}`}`,
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

export function asFetch(request) {
  const { method, body } = request;
  const options = [
    method !== 'GET' && `  method: '${method}',\n`,
    Object.keys(headersOf(request)).length > 0 && `  headers: ${JSON.stringify(headersOf(request))},\n`,
    body !== undefined && `  body: JSON.stringify(${JSON.stringify(body)}),\n`,
  ].filter(Boolean).join('');
  return `const response = await fetch('${address(request)}'${options && `, {\n${options}}`});\nconst answer = await response.json();`;
}
