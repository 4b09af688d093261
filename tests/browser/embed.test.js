// The page in a frame of another origin, and below a base path.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before } from 'node:test';

import { assertAccessible, assertFits, savePicture, settle, setUp, skip, startService } from './support.js';

const BASE = '/kibitz';
const kibitz = setUp('--base-path', BASE);
/** A service that only its own pages may frame. */
let closed;
/** A page of another origin with a frame, whose address (`src`) and attributes (`as`) the query names. */
let host;
const hosts = [];

if (!skip) {
	before(async () => {
		closed = await startService('--frame-ancestors', 'self');
		host = createServer((request, response) => {
			const { searchParams: query } = new URL(request.url, 'http://host');
			response
				.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
				.end(`<!doctype html><html lang="en"><title>A game</title>
        <link rel="icon" href="data:,">
        <iframe title="Advice" width="340" height="600" src="${query.get('src')}" ${query.get('as')}></iframe>`);
		});
		await new Promise((resolve) => host.listen(0, 'localhost', resolve));
		hosts.push(`http://localhost:${host.address().port}`, closed.url);
	});
	after(async () => {
		host.close();
		await closed.stop();
	});
}

const framed = (page, src, as = '') => page.goto(`${hosts[0]}/?${new URLSearchParams({ src, as })}`);
/** What shows that a game has its answer. */
const ANSWERS = { yahtzee: '.headline', doudizhu: '.fewest', craps: '.facts' };

for (const [game, answer] of Object.entries(ANSWERS)) {
	kibitz.test(`${game} is answered in a frame of another origin, without the shell`, { hosts }, async (page) => {
		await framed(page, `${kibitz.url}?embed=1&game=${game}`);
		const frame = page.frameLocator('iframe');
		await frame.locator(answer).first().waitFor();
		for (const part of ['.top', '.bottom']) assert.ok(!(await frame.locator(part).isVisible()), part);
		const inner = page.frames()[1];
		await assertFits(inner);
		await assertAccessible(inner);
		if (game !== 'yahtzee') return;
		await frame.getByRole('button', { name: 'Random dice' }).click();
		await inner.waitForURL(/dice=.*embed=1/);
		await frame.getByText('Daily').click();
		await frame.getByText('What would you do here').waitFor();
		await inner.waitForURL(/mode=daily.*embed=1/);
		assert.ok(!(await frame.locator('.top').isVisible()), 'it stays embedded');
		await savePicture(page, 'embedded', { fullPage: false });
		await frame.getByText('Review').click();
		await frame.locator('.course path.curve').waitFor();
		await inner.waitForURL(/mode=review.*embed=1/);
		await assertFits(inner);
	});
}

kibitz.test('a frame that may remember nothing works, too', { hosts }, async (page) => {
	// Its origin is opaque: modules are asked for by CORS, and there is no storage.
	await framed(page, `${kibitz.url}?embed=1&theme=dark`, 'sandbox="allow-scripts"');
	await page.frameLocator('iframe').locator('.headline').first().waitFor();
	assert.equal(await page.frameLocator('iframe').locator('html').getAttribute('data-theme'), 'dark');
});

kibitz.test(
	'a service with `--frame-ancestors self` rejects other frames',
	{ hosts, expected: /frame-ancestors|ERR_BLOCKED_BY_RESPONSE/ },
	async (page) => {
		const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
		await framed(page, `${closed.url}?embed=1`);
		await refusal;
		assert.equal(await page.frameLocator('iframe').locator('main').count(), 0);
	},
);

kibitz.test('below a base path every game is answered, and nothing is asked beside it', {}, async (page) => {
	const beside = [];
	page.on('request', (request) => {
		const { protocol, pathname } = new URL(request.url());
		if (protocol === 'http:' && pathname !== BASE && !pathname.startsWith(`${BASE}/`)) beside.push(request.url());
	});
	// Without its final slash the base path leads to the one with it, the query kept.
	await page.goto(`${new URL(BASE, kibitz.url).href}?game=craps`);
	await page.waitForURL(/\/kibitz\/\?game=craps/);
	for (const [name, answer] of [
		['Yahtzee', '.headline'],
		['Dou Dizhu', '.fewest'],
		['Craps', '.facts'],
	]) {
		await page.locator('#games').getByText(name, { exact: true }).click();
		await page.locator(answer).first().waitFor();
		await settle(page);
		assert.equal(new URL(page.url()).pathname, `${BASE}/`);
		assert.match(await page.locator('request-code code').first().textContent(), new RegExp(`${kibitz.url}`));
	}
	await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=1000`);
	await page
		.locator('#main')
		.getByText(/^Finished · /)
		.waitFor();
	await page.goto(`${kibitz.url}?game=yahtzee&mode=review`);
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	await page.getByRole('button', { name: 'Cancel' }).click();
	await page
		.locator('#main')
		.getByText(/^Cancelled · /)
		.waitFor();
	await page.locator('#foot').getByText('Reference').click();
	await page.getByRole('heading', { name: 'Reference', level: 1 }).waitFor();
	assert.deepEqual(beside, []);
});
