// What leads in and out of the page: links, frames, the focus; and the colours that a system insists on.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, LANGUAGES, SCREENS, settle, setUp } from './support.js';

const kibitz = setUp();
const VIEWS = [
	'game=yahtzee',
	'game=yahtzee&mode=play&seed=7',
	'game=yahtzee&mode=review',
	'game=doudizhu',
	'game=craps',
	'game=craps&mode=round',
	'game=craps&mode=bankroll',
	'game=craps&mode=simulation&decisions=1000',
];

async function open(page, query) {
	await page.goto(`${kibitz.url}?${query}`);
	await settle(page);
}

for (const language of LANGUAGES) {
	kibitz.test(`every view copies its link (${language})`, { language, size: 'usual' }, async (page) => {
		for (const view of VIEWS) {
			await open(page, view);
			await page.getByRole('button', { name: language === 'en' ? 'Copy link' : '复制链接' }).click();
			await page.waitForFunction(async () => {
				const link = await navigator.clipboard.readText();
				return link.startsWith(location.origin) && new URL(link).search === location.search;
			});
		}
	});

	kibitz.test(`arrow keys go from view to view (${language})`, { language }, async (page) => {
		for (const [game, modes] of [
			['yahtzee', ['play', 'review', 'daily']],
			['craps', ['round', 'bankroll', 'simulation']],
		]) {
			await open(page, `game=${game}`);
			await page.locator('.modes input').first().focus();
			for (const mode of modes) {
				await page.keyboard.press('ArrowRight');
				await settle(page);
				assert.equal(new URL(page.url()).searchParams.get('mode'), mode);
				assert.equal(await page.evaluate(() => document.activeElement.dataset.key), `mode-${mode}`);
			}
		}
	});

	kibitz.test(`a link within a view does not lose the focus (${language})`, { language }, async (page) => {
		await open(page, 'game=yahtzee&mode=review');
		await page.locator('a.choice').first().focus();
		await page.keyboard.press('Enter');
		await settle(page);
		await page.waitForFunction(() => document.activeElement !== document.body);
	});
}

kibitz.testVariants('a sentence says how a bankroll ends', { variants: SCREENS }, async (page, { language }) => {
	await open(page, 'game=craps&mode=bankroll');
	const told = language === 'en' ? /reach the target before ruin in [\d.]+%/ : /有 [\d.]+% 的场次先达到目标/;
	await page.locator('#main').getByText(told).waitFor();
	await assertFits(page);
	await assertAccessible(page);
});

kibitz.testVariants('a frame may show the answer alone', { variants: SCREENS }, async (page) => {
	await page.addInitScript(() => {
		globalThis.heights = [];
		addEventListener('message', ({ data }) => data.type === 'kibitz-height' && globalThis.heights.push(data.height));
	});
	for (const [game, answer] of Object.entries({ yahtzee: '.headline', doudizhu: '.fewest', craps: '.facts' })) {
		await open(page, 'game=craps&mode=round');
		await page.evaluate((src) => {
			const frame = document.createElement('iframe');
			frame.src = src;
			frame.title = 'Advice';
			frame.style.width = '300px';
			document.getElementById('main').replaceChildren(frame);
		}, `?embed=answer&game=${game}`);
		const frame = page.frameLocator('iframe');
		await frame.locator(answer).first().waitFor();
		for (const part of ['.top', '.bottom', '.modes', '.dice', '.deck', 'request-code'])
			assert.ok(!(await frame.locator(part).first().isVisible()), part);
		await page.waitForFunction(() => globalThis.heights.at(-1) > 100);
		const inner = page.frames()[1];
		await assertFits(inner);
		assert.equal(
			await page.evaluate(() => globalThis.heights.at(-1)),
			await inner.evaluate(() => Math.ceil(document.querySelector('main').getBoundingClientRect().height)),
		);
	}
});

kibitz.testVariants(
	'forced colours show what is chosen and how long a bar is',
	{ variants: SCREENS, forcedColors: 'active' },
	async (page) => {
		const fill = (locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor);
		await open(page, 'game=yahtzee');
		const page_colour = await fill(page.locator('body'));
		assert.notEqual(await fill(page.locator('.track i').first()), page_colour);
		assert.notEqual(
			await fill(page.locator('.modes input:checked + span')),
			await fill(page.locator('.modes input:not(:checked) + span').first()),
		);
		await open(page, 'game=doudizhu');
		assert.notEqual(
			await fill(page.locator('.deck [aria-pressed=true]').first()),
			await fill(page.locator('.deck [aria-pressed=false]').first()),
		);
		await assertAccessible(page);
	},
);

kibitz.testVariants('Chinese numerals are cards', { variants: SCREENS }, async (page) => {
	await open(page, 'game=doudizhu');
	await page.locator('[data-key=hand]').fill('三三三四四四五六七十小王');
	await page.waitForURL(/hand=33344456/);
	await settle(page);
	assert.equal(await page.locator('.fault').count(), 0);
	assert.equal(await page.locator('.deck [aria-pressed=true]').count(), 11);
});

kibitz.testVariants('each action has its standard deviation on request', { variants: SCREENS }, async (page) => {
	await open(page, 'game=yahtzee');
	await page.locator('[data-key=risk-true] + span').click();
	await settle(page);
	assert.equal(new URL(page.url()).searchParams.get('risk'), 'true');
	const rows = await page.locator('.ranked .choice .small').allTextContents();
	assert.equal(rows.length, 8);
	assert.equal(rows[0], '± 58.6');
	await page.reload();
	await settle(page);
	assert.equal(await page.locator('.ranked .choice .small').count(), 8);
	// The points of one turn have none.
	await page.locator('[data-key=objective-turn] + span').click();
	await settle(page);
	assert.equal(await page.locator('.fault').count(), 0);
	await assertFits(page);
	await assertAccessible(page);
});
