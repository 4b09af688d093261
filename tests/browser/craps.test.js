// The craps tab: the table of bets, a round, a bankroll, a simulation.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { assertAccessible, assertFits, SCREENS, savePicture, settle, setUp } from './support.js';

const kibitz = setUp();
const refused = { expected: /422/ };

async function open(page, query = '') {
	await page.goto(`${kibitz.url}?game=craps${query}`);
	await settle(page);
}

/** Waits until the address of the page matches. */
const addressed = (page, pattern) =>
	page.waitForFunction((source) => new RegExp(source).test(location.href), pattern.source);
const job = (page, word) =>
	page
		.locator('#main')
		.getByText(new RegExp(`^${word} · `))
		.waitFor();
const rows = (page) => page.locator('tr.bet');

kibitz.test('all bets are there and sort by each convention', {}, async (page) => {
	await open(page);
	const { bets } = await (await fetch(`${kibitz.url}craps/odds`)).json();
	await rows(page)
		.nth(bets.length - 1)
		.waitFor();
	assert.equal(await rows(page).count(), bets.length);
	const columns = {
		'per bet made': ['per_bet_made', 3],
		'per bet resolved': ['per_bet_resolved', 4],
		'per roll': ['per_roll', 5],
	};
	const sorter = (name) => page.locator('thead').getByRole('button', { name });
	for (const [name, [edge, column]] of Object.entries(columns)) {
		await sorter(name).click();
		await page.locator('th[aria-sort=ascending]', { hasText: name }).waitFor();
		const shown = await page.locator(`tr.bet td:nth-child(${column + 1})`).allTextContents();
		const exact = bets.map((bet) => bet.house_edge[edge].value).sort((a, b) => a - b);
		assert.deepEqual(
			shown,
			exact.map((value) => `${(value * 100).toFixed(2)}%`),
		);
	}
	await sorter('per roll').click();
	await page.locator('th[aria-sort=descending]').waitFor();
	assert.match(page.url(), /sort=-roll/);
	await page.locator('select').first().selectOption('hardway');
	await rows(page).nth(4).waitFor({ state: 'detached' });
	assert.equal(await rows(page).count(), 4);
});

kibitz.test('a bet opens for its exact figures, alone and with odds', {}, async (page) => {
	await open(page, '&bet=pass_line&odds=3-4-5x');
	await page.getByText('7/1870', { exact: true }).waitFor();
	await page.getByText('0.3743%', { exact: true }).waitFor();
	await page.getByLabel('Odds', { exact: true }).selectOption('10x');
	await page.getByText('0.1845%', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Hard 8' }).click();
	await page.getByRole('heading', { name: 'Hard 8' }).waitFor();
	await addressed(page, /bet=hard_8/);
	assert.equal(await page.getByLabel('Odds', { exact: true }).count(), 0, 'a hardway takes no odds');
});

kibitz.test('a round is rolled, typed or seeded, and is a link', refused, async (page) => {
	await open(page, '&mode=round&rolls=44,12,35');
	await page.getByText('Point made: won').first().waitFor();
	assert.equal(await page.locator('.history li').count(), 3);
	await page.getByRole('button', { name: 'New round' }).click();
	await addressed(page, /rolls=\d\d$/);
	await page.getByLabel('Type dice').fill('93');
	await page.keyboard.press('Enter');
	await page.locator('.fault', { hasText: 'from 1 to 6' }).waitFor();
	await page.getByLabel('Seed').fill('42');
	await page.keyboard.press('Enter');
	await page.getByText('Seven out: lost').first().waitFor();
	await addressed(page, /seed=42$/);
	assert.equal(await page.locator('.history li').count(), 2);
});

kibitz.test('a bankroll is answered exactly, and a fault is shown at its field', refused, async (page) => {
	await open(page, '&mode=bankroll');
	await page.getByText('40.5138%').waitFor();
	await page.getByLabel('If full odds are unaffordable').selectOption('partial');
	await page.getByText('41.2069%').waitFor();
	await addressed(page, /when_short=partial/);
	const target = page.getByLabel('Target, units');
	await target.fill('20');
	await page.keyboard.press('Tab');
	await page.locator('.fault', { hasText: 'above the bankroll' }).waitFor();
	assert.equal(await page.getByLabel('Target, units').getAttribute('aria-invalid'), 'true');
	assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'max_rounds', 'the focus moves on');
	assert.ok(!(await page.getByRole('heading', { name: 'Exact answer' }).isVisible()), 'no panel without an answer');
});

kibitz.test('a simulation converges on the exact value, and its link runs it again', refused, async (page, context) => {
	await open(page, '&mode=simulation&decisions=200000');
	await job(page, 'Finished');
	assert.equal(await page.locator('.chart .name').count(), 2, 'each band has its name');
	assert.equal(await page.locator('.chart .band').count(), 2);
	const counts = await page.locator('.card-panel').textContent();
	const other = await context.newPage();
	await other.goto(page.url());
	await job(other, 'Finished');
	assert.equal(await other.locator('.card-panel').textContent(), counts);
	const download = page.waitForEvent('download');
	await page.getByRole('link', { name: 'CSV' }).click();
	const lines = (await readFile(await (await download).path(), 'utf8')).split('\n');
	assert.ok(lines.length > 20);
	assert.ok(
		lines.every((line) => line.split(',').length === 8),
		lines[0],
	);
	await page.getByRole('textbox', { name: 'Decisions' }).fill('0');
	await page.keyboard.press('Enter');
	await page.locator('.fault').waitFor();
});

kibitz.test('a running simulation shows its progress and is cancelled', {}, async (page) => {
	await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=1e12&seed=1`);
	await job(page, 'Running');
	await page.getByRole('progressbar').waitFor();
	await page.locator('.chart').waitFor();
	await page.getByRole('button', { name: 'Cancel' }).click();
	await job(page, 'Cancelled');
	assert.ok(await page.getByRole('link', { name: 'CSV' }).isVisible(), 'what was counted is kept');
});

for (const status of [503, 429]) {
	kibitz.test(
		`a job whose stream is refused (${status}) is asked for until it ends`,
		{ expected: /status of (503|429|500)/, haste: 10 },
		async (page) => {
			let [asked, broken] = [0, false];
			await page.route(/\/events/, (route) => route.fulfill({ status, json: { detail: 'Too many streams.' } }));
			await page.route(/simulations\/[0-9a-f]{32}\?/, (route) => {
				asked += 1;
				return broken ? route.fulfill({ status: 500, json: { detail: 'Out of order.' } }) : route.continue();
			});
			await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=1e12&seed=1`);
			await job(page, 'Running');
			while (asked < 3) await page.waitForRequest(/simulations\/[0-9a-f]{32}\?/);
			broken = true;
			await job(page, 'Out of order.');
			broken = false;
			await job(page, 'Running');
			await page.getByRole('button', { name: 'Cancel' }).click();
			await job(page, 'Cancelled');
			const before = asked;
			await page.waitForTimeout(300);
			assert.ok(asked <= before + 1, 'a job that has ended is not polled');
		},
	);
}

kibitz.test('a job that is gone has failed, in words', { expected: /status of (503|410)/ }, async (page) => {
	await page.route(/\/events/, (route) => route.fulfill({ status: 503, body: '' }));
	await page.route(/simulations\/[0-9a-f]{32}\?/, (route) =>
		route.fulfill({ status: 410, json: { detail: 'This job is forgotten.' } }),
	);
	await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=1e9&seed=1`);
	await job(page, 'This job is forgotten.');
	assert.ok(!(await page.getByRole('button', { name: 'Cancel' }).isVisible()));
});

kibitz.test('a failed cancel is reported and can be tried again', { expected: /status of 500/ }, async (page) => {
	await page.route(/\/cancel/, (route) => route.fulfill({ status: 500, json: { detail: 'Out of order.' } }));
	await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=1e12&seed=1`);
	await job(page, 'Running');
	await page.getByRole('button', { name: 'Cancel' }).click();
	const note = page.locator('.side .note');
	await note.waitFor();
	assert.equal(await note.textContent(), 'Out of order.');
	await page.waitForTimeout(500);
	assert.ok(await note.isVisible(), 'events of the job do not hide it');
	await page.unroute(/\/cancel/);
	await page.getByRole('button', { name: 'Cancel' }).click();
	await job(page, 'Cancelled');
	assert.ok(!(await note.isVisible()));
});

kibitz.test('a simulation that is taken up too late is cancelled', {}, async (page) => {
	let [first, release, known] = [];
	const held = new Promise((resolve) => {
		release = resolve;
	});
	const taken = new Promise((resolve) => {
		known = resolve;
	});
	await page.route(/craps\/simulations\?/, async (route) => {
		const response = await route.fetch();
		if (!first) {
			first = (await response.json()).id;
			known();
			await held;
		}
		await route.fulfill({ response });
	});
	await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=1e12&seed=1`);
	await taken;
	await page.getByRole('textbox', { name: 'Decisions' }).fill('1000');
	await page.getByRole('button', { name: 'Run', exact: true }).click();
	await job(page, 'Finished');
	const cancelled = page.waitForResponse((response) => response.url().includes(`${first}/cancel`));
	release();
	assert.equal((await cancelled).status(), 200);
	assert.equal((await (await fetch(`${kibitz.url}craps/simulations/${first}`)).json()).status, 'cancelled');
	await job(page, 'Finished');
});

kibitz.test(
	'a list of bets that fails to load is reported and requested again',
	{ expected: /status of 500/ },
	async (page) => {
		for (const mode of ['bankroll', 'round', 'simulation', 'bets']) {
			await page.route(/craps\/odds\?/, (route) => route.fulfill({ status: 500, json: { detail: 'Out of order.' } }));
			await open(page, `&mode=${mode}&decisions=1000`);
			const note = page.locator('.note', { hasText: 'Out of order.' });
			await note.first().waitFor();
			assert.equal(await note.count(), 1, mode);
			await page.unroute(/craps\/odds\?/);
			await note.getByRole('button', { name: 'Try again' }).click();
			await note.waitFor({ state: 'detached' });
			await page.getByText('Pass line').first().waitFor({ state: 'attached' });
		}
	},
);

kibitz.test('sessions are compared with the exact answer', {}, async (page) => {
	await open(page, '&mode=simulation&kind=sessions&sessions=2000&seed=7');
	await job(page, 'Finished');
	await page.getByRole('row', { name: /^Ruin/ }).getByText('48.508', { exact: true }).waitFor();
	const shown = await page
		.locator('.card-panel .chart .bar')
		.evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
	const answer = await fetch(`${kibitz.url}craps/simulations`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', prefer: 'wait=10' },
		body: JSON.stringify({
			kind: 'sessions',
			bet: 'pass_line',
			odds: '3-4-5x',
			bankroll: 50,
			target: 100,
			max_rounds: 200,
			sessions: 2000,
			seed: 7,
		}),
	});
	const counts = (await answer.json()).result.final_bankroll.histogram.map(({ count }) => count);
	assert.equal(shown.length, counts.length);
	const [most, highest] = [Math.max(...counts), Math.max(...shown)];
	for (const [i, count] of counts.entries()) {
		assert.ok(Math.abs(shown[i] / highest - count / most) < 1e-9, `bar ${i}`);
	}
});

kibitz.test('several bets are simulated on the same dice, and are a link', refused, async (page) => {
	await open(page, '&mode=simulation&decisions=1000&seed=3&bet=pass_line&odds=2x');
	await job(page, 'Finished');
	await page.getByRole('button', { name: 'Add another bet' }).click();
	await page.getByLabel('Bet', { exact: true }).selectOption('place_6');
	await page.getByLabel('Stake, units').fill('6');
	await page.getByRole('button', { name: 'Run', exact: true }).click();
	await page.locator('.card-panel h3', { hasText: 'Place 6 to win' }).waitFor();
	assert.deepEqual(await page.locator('.card-panel h3').allTextContents(), ['Pass line', 'Place 6 to win']);
	assert.match(
		await page.locator('request-code code').textContent(),
		/"bets":\[\{"bet":"pass_line","odds":"2x","stake":1\},\{"bet":"place_6","stake":6\}\]/,
	);
	assert.match(page.url(), /set=pass_line\*2x\*1/);
	const counts = await page.locator('.card-panel').textContent();
	await page.reload();
	await job(page, 'Finished');
	assert.equal(await page.locator('.card-panel').textContent(), counts);
	await page.getByLabel('Stake, units').fill('-1');
	await page.keyboard.press('Enter');
	await page.locator('.field .fault', { hasText: 'stake' }).waitFor();
	assert.equal(await page.getByLabel('Stake, units').getAttribute('aria-invalid'), 'true');
	await page.getByLabel('Stake, units').fill('1');
	await page.getByRole('button', { name: 'Remove' }).click();
	await page.getByRole('button', { name: 'Run', exact: true }).click();
	await page.locator('.card-panel h3').first().waitFor({ state: 'detached' });
	assert.doesNotMatch(page.url(), /set=/);
});

kibitz.testVariants('every view fits and reads well', {}, async (page, { language, size, scheme }) => {
	for (const mode of ['round', 'bankroll', 'simulation']) {
		await open(page, `&mode=${mode}`);
		await page
			.locator(mode === 'simulation' ? '.card-panel table' : 'dl, ol.history')
			.first()
			.waitFor();
		await assertFits(page);
		await assertAccessible(page);
		await savePicture(page, `craps-${mode}-${language}-${size}-${scheme}`);
	}
});

kibitz.testVariants(
	'a bet is found by its name, under a head that stays',
	{ variants: SCREENS },
	async (page, { language }) => {
		await open(page);
		await page.locator('tr.bet').nth(60).scrollIntoViewIfNeeded();
		const head = await page.locator('thead').first().boundingBox();
		assert.ok(Math.abs(head.y) < 2, `the head is at ${head.y}`);
		const line = await page.locator('[data-key=put_6]').evaluate((button) => button.getBoundingClientRect().height);
		assert.ok(line <= 50, `a name takes ${line} px`);
		const field = page.locator('[data-key=find]');
		await field.pressSequentially(language === 'en' ? 'hard' : '硬');
		await page.waitForURL(/find=/);
		assert.equal(await page.locator('tr.bet').count(), language === 'en' ? 6 : 4);
		assert.equal(await field.evaluate((input) => input === document.activeElement), true);
		assert.match(await page.locator('tr.bet td').nth(2).textContent(), /^\d+\.\d\d%$/);
		await assertFits(page);
		await assertAccessible(page);
		await field.fill('zzz');
		await page.getByText(language === 'en' ? 'No bet has this name.' : '没有这样的注。').waitFor();
	},
);
