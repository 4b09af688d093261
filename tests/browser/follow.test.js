// A real game, followed in the analysis of Yahtzee: with a mouse, with the keyboard alone, on a phone.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, SCREENS, settle } from './support.js';
import { address, kibitz, open } from './yahtzee_support.js';

const EMPTY = { dice: '0,0,0,0,0', rolls_left: '2' };
const card = (page) => page.locator('.score-card .total .points').textContent();
const accept = (page) => page.locator('[data-key=accept]:visible');
const focused = (page) => page.evaluate(() => document.activeElement.dataset.key);

kibitz.testVariants(
	'a turn takes ten clicks at most',
	{ variants: SCREENS },
	async (page, { language, size }, _context) => {
		await open(page, EMPTY);
		let clicks = 0;
		const click = async (locator) => {
			clicks += 1;
			await locator.click();
			await settle(page);
		};
		for (const key of ['1', '33', '4', '6']) await click(page.locator(`[data-key=pad-${key}]`));
		assert.equal(address(page).get('dice'), '1,3,3,4,6');
		// The new dice say that the others were kept.
		for (const key of ['3', '2', '5']) await click(page.locator(`[data-key=pad-${key}]`));
		assert.equal(address(page).get('dice'), '3,3,3,2,5');
		assert.equal(address(page).get('rolls_left'), '1');
		await assertFits(page);
		await click(page.locator('[data-key=pad-66]'));
		assert.equal(address(page).get('rolls_left'), '0');
		await click(accept(page));
		assert.ok(clicks <= 10, `${clicks} clicks`);
		assert.equal(address(page).get('full_house'), '25');
		assert.deepEqual([address(page).get('dice'), address(page).get('rolls_left')], ['0,0,0,0,0', '2']);
		assert.equal(await card(page), '25');
		await assertFits(page);
		await assertAccessible(page);
		assert.match(
			await page.locator('.answer-panel').first().textContent(),
			language === 'en' ? /Enter what/ : /输入掷出/,
		);
		// What was scored too early is taken back.
		await page.locator('[data-key=undo]').click();
		await settle(page);
		assert.equal(await card(page), '0');
		assert.equal(address(page).get('dice'), '3,3,3,6,6');
		if (size !== 'desktop') {
			const bar = await page.locator('.answer-bar').boundingBox();
			const { height } = page.viewportSize();
			assert.ok(bar.y < height && bar.y + bar.height > height - 4, 'the answer stays at the foot of the screen');
			const [dice, sheet, answer] = await page
				.locator('.dice-panel, .card-panel, .answer-panel')
				.evaluateAll((panels) => panels.map((panel) => panel.getBoundingClientRect().top));
			assert.ok(dice < sheet && sheet < answer, 'dice, card, answer');
		}
	},
);

kibitz.test('a turn is followed by digits and Enter alone', {}, async (page) => {
	await open(page, EMPTY);
	await page.locator('[data-key=die-0]').focus();
	const type = async (keys) => {
		for (const key of keys) {
			await page.keyboard.press(key);
			await settle(page);
		}
	};
	await type('13346');
	assert.equal(await focused(page), 'accept', 'what goes on has the focus');
	await type(['Enter']);
	assert.equal(address(page).get('dice'), '0,3,3,0,0');
	assert.equal(await focused(page), 'die-0');
	await type('325');
	await type(['Enter', '6', '6', 'Enter']);
	assert.equal(address(page).get('full_house'), '25');
	assert.equal(await focused(page), 'die-0', 'the next turn begins');
});

kibitz.test('a picked row is what comes next, and a game ends', {}, async (page) => {
	await open(page, { dice: '1,1,1,1,6', rolls_left: 0 });
	await page.locator('.ranked .choice', { hasText: 'Chance' }).click();
	await settle(page);
	await accept(page).click();
	await settle(page);
	assert.equal(address(page).get('chance'), '10');
	const full = Object.fromEntries(
		['ones', 'twos', 'threes', 'fours', 'fives', 'sixes', 'three_of_a_kind', 'four_of_a_kind']
			.concat(['full_house', 'small_straight', 'large_straight', 'yahtzee'])
			.map((box) => [box, 0]),
	);
	await open(page, { dice: '1,1,1,1,6', rolls_left: 0, ...full });
	await accept(page).click();
	await page.getByText('The game is over').waitFor();
	await page.getByText('10 points', { exact: true }).waitFor();
});
