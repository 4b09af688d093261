// What holds for the whole page: every game, both languages, phone and desktop, light and dark.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, savePicture, settle, setUp } from './support.js';

const kibitz = setUp();

/** The addresses of the games, as the page itself links them. */
const gamesOf = (page) =>
	page.locator('#games a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

kibitz.testVariants('every game shows itself', {}, async (page, { language, size, scheme }) => {
	await page.goto(kibitz.url);
	await settle(page);
	const games = await gamesOf(page);
	assert.ok(games.length > 0, 'the page links no game');
	for (const href of games) {
		await page.goto(new URL(href, kibitz.url).href);
		await settle(page);
		assert.equal((await page.locator('html').getAttribute('lang')).split('-')[0], language);
		assert.notEqual(await page.title(), '');
		assert.equal(await page.locator('h1').count(), 1, `${href}: one heading of the first level`);
		await assertFits(page);
		await assertAccessible(page);
		const game = new URL(href, kibitz.url).searchParams.get('game');
		await savePicture(page, `${game}-${language}-${size}-${scheme}`);
	}
});

kibitz.test(
	'a part that does not load is reported in the chosen language',
	{ expected: /status of 500|dynamically imported/ },
	async (page) => {
		await page.route(/craps\/tab\.js/, (route) => route.fulfill({ status: 500, body: '' }));
		await page.goto(`${kibitz.url}?game=craps`);
		await page.getByText('This part could not be loaded.').waitFor();
		await page.getByRole('button', { name: '中文' }).click();
		await page.getByText('这一部分没有载入。').waitFor();
	},
);
