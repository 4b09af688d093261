// The charts of the page: what they say without a legend, under a pointer, and as a table.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, SCREENS, settle } from './support.js';
import { address, kibitz, LATE, open } from './yahtzee_support.js';

/** Points at the middle of a chart, and returns what is read off it. */
async function readOff(chart) {
	const svg = chart.locator('.chart');
	await svg.scrollIntoViewIfNeeded();
	const { width, height } = await svg.boundingBox();
	await svg.hover({ position: { x: width * 0.6, y: height / 3 }, force: true });
	return chart.locator('.readout').textContent();
}

kibitz.testVariants('the chart of a review shows each mistake', { variants: SCREENS }, async (page, { language }) => {
	const turns = '13346 33 / 33325 333 / 33366 FH\n23456 1';
	await open(page, { mode: 'review', turns });
	const chart = page.locator('.course');
	const [from, to] = await chart.locator('.band').evaluate((band) => {
		const { x, width } = band.getBBox();
		return [x, x + width];
	});
	const mark = chart.locator('a').last();
	const at = Number(await mark.locator('.mark').getAttribute('cx'));
	assert.ok(at > from && at < to - 5, `${[from, at, to]}: what the last decision cost has a width`);
	assert.match(await readOff(chart), language === 'en' ? /^Turns [\d.]+: \d+ \(Expected/ : /^回合 [\d.]+: \d+ \(期望/);
	await chart.locator('summary').click();
	await chart.locator('tbody tr').nth(3).waitFor();
	await assertFits(page);
	await assertAccessible(page);
	await mark.click();
	await settle(page);
	assert.equal(address(page).get('chosen'), 'score:ones');
	assert.equal(address(page).get('dice'), '2,3,4,5,6');
});

kibitz.testVariants(
	'the bins of a distribution are the same on every screen',
	{ variants: SCREENS },
	async (page, { language }) => {
		const { ones, ...card } = LATE;
		await open(page, { dice: '6,6,6,2,1', rolls_left: 2, ...card });
		const panel = page.locator('.side .panel', { hasText: language === 'en' ? 'How likely' : '各最终得分' });
		await panel.locator('[data-key=likely]').click();
		await panel.locator('.bar').first().waitFor();
		await panel.getByText(language === 'en' ? 'Bins of 2 points.' : '每柱 2 分。').waitFor();
		const read = await readOff(panel.locator('drawn-chart'));
		assert.match(read, /^\d+[02468]–\d+[13579]: [<\d.]+%$/);
		await panel.getByText(language === 'en' ? /^median \d+$/ : /^中位数 \d+$/).waitFor();
		assert.match(await panel.locator('.figures').last().textContent(), /^5%≤ \d+/);
		await panel.locator('summary').click();
		await panel.locator('tbody tr').first().waitFor();
		assert.equal(await panel.locator('tbody tr').count(), await panel.locator('.bar').count());
		await assertFits(page);
		await assertAccessible(page);
	},
);

kibitz.testVariants(
	'the error of a simulation falls along its bands',
	{ variants: SCREENS },
	async (page, { language }) => {
		await page.goto(`${kibitz.url}?game=craps&mode=simulation&decisions=200000&seed=42`);
		await page
			.locator('#main')
			.getByText(language === 'en' ? /^Finished · / : /^已完成 · /)
			.waitFor();
		const chart = page.locator('drawn-chart').first();
		const names = await chart.locator('.name').allTextContents();
		assert.deepEqual(
			names,
			language === 'en' ? ['95% at any stopping point', '95% at this point'] : ['任何时刻停止的 95%', '此刻的 95%'],
		);
		assert.match(
			await readOff(chart),
			language === 'en' ? /^Decisions [\d.]+K?: [\d.]+ \(Distance/ : /^注数 [\d.]+万?: [\d.]+ \(与精确值/,
		);
		await assertFits(page);
		await assertAccessible(page);
	},
);
