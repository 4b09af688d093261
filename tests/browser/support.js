// A running service, a browser, and a page that is watched: whatever a test does, at its end nothing may have gone
// wrong unseen.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import axe from 'axe-core';
import { chromium } from 'playwright-core';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.KIBITZ_BINARY ?? join(ROOT, 'target', 'release', 'kibitz');
const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Why nothing can be tested here, if so. On CI everything must be there. */
export const skip =
	[
		[BROWSER, 'Chromium (name it in CHROMIUM)'],
		[BINARY, 'the binary (cargo build --release)'],
	]
		.filter(([path]) => !existsSync(path))
		.map(([path, what]) => `${what} is not at ${path}`)
		.join('; ') || false;
if (skip && process.env.CI) throw new Error(skip);
if (skip) console.log(`SKIPPED: ${skip}`);

export const LANGUAGES = ['en', 'zh'];
export const SIZES = {
	phone: { width: 360, height: 740 },
	desktop: { width: 1280, height: 800 },
	usual: { width: 390, height: 844 },
	narrow: { width: 320, height: 640 },
};
export const SCHEMES = ['light', 'dark'];
/** Every language at every size, every language and every size in every scheme: no fault needs all three at once. */
/** Both languages on a desktop, on a usual phone and on a narrow one. */
export const SCREENS = LANGUAGES.flatMap((language, i) =>
	['desktop', 'usual', 'narrow'].map((size, j) => ({ language, size, scheme: SCHEMES[(i + j) % 2] })),
);
export const VARIANTS = LANGUAGES.flatMap((language, i) =>
	['phone', 'desktop'].map((size, j) => ({ language, size, scheme: SCHEMES[(i + j) % 2] })),
);

/** Starts the service on a free port; resolves with its address once it is ready. */
export async function startService(...flags) {
	const child = spawn(BINARY, ['--listen', '127.0.0.1:0', ...flags], {
		env: { ...process.env, KIBITZ_LOG: 'info', KIBITZ_LOG_FORMAT: 'json' },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const address = await new Promise((resolve, reject) => {
		child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
		const lines = createInterface({ input: child.stderr });
		lines.on('line', (line) => {
			const found = JSON.parse(line).address;
			if (found) resolve(found);
		});
	});
	const base = flags.includes('--base-path') ? flags[flags.indexOf('--base-path') + 1] : '';
	const url = `http://${address}${base}/`;
	for (let tries = 0; (await fetch(`${url}readyz`)).status !== 200; tries++) {
		assert.ok(tries < 600, 'the service was not ready within a minute');
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	const stop = () =>
		new Promise((resolve) => {
			child.removeAllListeners('exit');
			child.once('exit', resolve);
			child.kill('SIGTERM');
		});
	return { url, stop };
}

/** The service and the browser of a test file; both are there once its tests run. */
export function setUp(...flags) {
	const shared = { url: '', browser: null };
	let service;
	if (!skip) {
		before(async () => {
			service = await startService(...flags);
			shared.url = service.url;
			shared.browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
		});
		after(async () => {
			await shared.browser?.close();
			await service?.stop();
		});
	}

	/**
	 * A test with a page of its own at `address` (below the service's). It fails where the browser complains of
	 * anything, where a policy is violated, or where a request leaves the service. `expected` allows for complaints
	 * that the test provokes; `haste` is how many times faster the page's own waits pass.
	 */
	shared.test = (
		name,
		{ language = 'en', size = 'desktop', scheme = 'light', expected, haste = 1, hosts = [], ...options },
		act,
	) =>
		test(name, { skip, timeout: 240_000 }, async () => {
			const context = await shared.browser.newContext({
				locale: language === 'zh' ? 'zh-CN' : 'en-GB',
				viewport: SIZES[size],
				colorScheme: scheme,
				reducedMotion: 'reduce',
				permissions: ['clipboard-read', 'clipboard-write'],
				...options,
			});
			try {
				const complaints = watch(context, [shared.url, ...hosts]);
				if (haste > 1) await context.addInitScript(hasten, haste);
				await act(await context.newPage(), context);
				const left = complaints.filter((complaint) => !expected?.test(complaint));
				assert.deepEqual(left, [], 'the browser complained');
			} finally {
				await context.close();
			}
		});

	/** The same test in each of some variants: languages, sizes, light and dark. */
	shared.testVariants = (name, { variants = VARIANTS, ...options }, act) => {
		for (const variant of variants) {
			const title = `${name} (${variant.language}, ${variant.size}, ${variant.scheme})`;
			shared.test(title, { ...options, ...variant }, (page, context) => act(page, variant, context));
		}
	};
	return shared;
}

/** Runs in the page, before its own scripts. */
function hasten(haste) {
	const wait = globalThis.setTimeout;
	globalThis.setTimeout = (act, milliseconds = 0, ...given) => wait(act, milliseconds / haste, ...given);
}

/** The requests of a context that wait for their answers. */
const waiting = new WeakMap();

/** Whatever goes wrong in the pages of a context, as sentences. */
function watch(context, urls) {
	const complaints = [];
	const origins = urls.map((url) => new URL(url).origin);
	const open = new Set();
	waiting.set(context, open);
	context.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning') {
			complaints.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
		}
	});
	context.on('weberror', (error) => complaints.push(`uncaught: ${error.error()}`));
	context.on('request', (request) => {
		// A stream of events is never done.
		if (request.resourceType() !== 'eventsource') open.add(request);
		const url = new URL(request.url());
		const local = ['data:', 'blob:', 'about:'].includes(url.protocol);
		if (!local && !origins.includes(url.origin)) complaints.push(`a request to another host: ${url}`);
	});
	context.on('requestfinished', (request) => open.delete(request));
	context.on('requestfailed', (request) => {
		open.delete(request);
		// A page that is left, or asks again before an answer came, gives up requests.
		const reason = request.failure()?.errorText;
		if (reason !== 'net::ERR_ABORTED') complaints.push(`a request failed: ${request.url()} ${reason}`);
	});
	return complaints;
}

/** Checks that axe has no serious or critical findings, in the whole page or in `parts` (selectors). */
export async function assertAccessible(page, parts = [':root']) {
	await page.evaluate(axe.source);
	const { violations } = await page.evaluate(
		(include) => globalThis.axe.run({ include }, { resultTypes: ['violations'] }),
		parts,
	);
	const found = violations
		.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.map(
			({ id, help, nodes }) =>
				`${id}: ${help}\n${nodes
					.slice(0, 5)
					.map((node) => `  ${node.target}: ${node.failureSummary}`)
					.join('\n')}`,
		);
	assert.deepEqual(found, [], found.join('\n'));
}

/** Checks that nothing reaches beyond the right edge of the screen. */
export async function assertFits(page) {
	const beyond = await page.evaluate(() => {
		const width = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= width) return [];
		return [...document.body.querySelectorAll('*')]
			.filter((element) => element.getBoundingClientRect().right > width + 0.5)
			.slice(0, 10)
			.map((element) => {
				const text = element.textContent.trim().slice(0, 40);
				return `${element.localName}.${element.getAttribute('class') ?? ''} ${text}`;
			});
	});
	assert.deepEqual(beyond, [], 'the page is wider than the screen');
}

/** Saves a picture below `target/pictures` if `KIBITZ_PICTURES` is set. Pictures are for people; no test compares them. */
export async function savePicture(
	page,
	name,
	{ fullPage = true, folder = process.env.KIBITZ_PICTURES && join(ROOT, 'target', 'pictures') } = {},
) {
	if (!folder) return;
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

/** Waits until the page has settled: it is loaded, waits for no answer, and nothing moves. */
export async function settle(page) {
	// Twice, because an answer may lead to the next question.
	for (let quiet = 0; quiet < 2; ) {
		const busy = await page.evaluate(async () => {
			await new Promise((resolve) => {
				setTimeout(resolve, 25);
			});
			await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
			return (
				document.readyState !== 'complete' || Boolean(document.querySelector('#main > noscript, [aria-busy=true]'))
			);
		});
		quiet = busy || waiting.get(page.context()).size > 0 ? 0 : quiet + 1;
	}
}
