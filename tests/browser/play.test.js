// A game of Yahtzee, played on the page: hints, steps back, and a card that stays under the finger.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, SCREENS, settle } from './support.js';
import { address, kibitz, open, PLAYED, said, shownBody } from './yahtzee_support.js';

const press = async (page, key) => {
	await page.locator(`[data-key=${key}]`).click();
	await settle(page);
};

kibitz.testVariants(
	'a hint is given, and what was done too early is taken back',
	{ variants: SCREENS },
	async (page, { language }) => {
		await open(page, { mode: 'play', seed: '5' });
		const { requests } = await shownBody(page);
		const { best } = await said('yahtzee/best-action', requests.at(-1));
		await press(page, 'hint');
		const hint = page.locator('.last');
		const faces = (await hint.locator('.small-dice').getAttribute('aria-label')).split(' ').map(Number);
		assert.deepEqual(faces, best.keep);
		assert.match(await hint.textContent(), language === 'en' ? /^best:Keep/ : /^最佳：保留/);
		await press(page, 'roll');
		assert.equal(address(page).get('moves'), '0');
		await press(page, 'box-ones');
		assert.match(address(page).get('moves'), /^0-A/);
		await assertAccessible(page);
		await press(page, 'back');
		assert.equal(address(page).get('moves'), '0');
		const seed = address(page).get('seed');
		await press(page, 'new');
		assert.notEqual(address(page).get('seed'), seed);
		await press(page, 'back');
		assert.deepEqual([address(page).get('seed'), address(page).get('moves')], [seed, '0'], 'the game is back');
		await press(page, 'back');
		assert.equal(address(page).get('moves'), null);
		assert.equal(await page.locator('[data-key=back]').getAttribute('aria-disabled'), 'true');
		await assertFits(page);
	},
);

kibitz.testVariants('the card does not move during a turn', { variants: SCREENS }, async (page) => {
	await open(page, { mode: 'play', seed: '5' });
	const top = async () => (await page.locator('.card-panel').boundingBox()).y + (await page.evaluate(() => scrollY));
	const at = await top();
	for (const key of ['die-0', 'roll', 'die-1', 'roll', 'box-chance', 'roll', 'roll', 'box-ones']) {
		await press(page, key);
		assert.ok(Math.abs((await top()) - at) <= 1, `after ${key}: ${await top()}, not ${at}`);
	}
});

kibitz.testVariants('the review of a finished game comes first', { variants: SCREENS }, async (page, { size }) => {
	await open(page, PLAYED);
	await page.locator('.course').waitFor();
	const top = async (part) => (await page.locator(part).first().boundingBox()).y;
	if (size !== 'desktop') assert.ok((await top('.answer-panel')) < (await top('.card-panel')));
	assert.ok((await top('.answer-panel')) < 480, `${await top('.answer-panel')}`);
	await press(page, 'back');
	assert.ok((await top('.card-panel')) < (await top('.answer-panel')) || size === 'desktop');
	assert.match(await page.locator('.dice-panel h2').textContent(), /13/);
});
