// The Yahtzee tab, as a player uses it.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, savePicture, settle, setUp } from './support.js';

const kibitz = setUp();

/** What the service itself says about a position. */
async function adviceOn(body) {
	const response = await fetch(`${kibitz.url}yahtzee/best-action`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	assert.equal(response.status, 200);
	return response.json();
}

async function open(page, query = '') {
	await page.goto(`${kibitz.url}?game=yahtzee${query}`);
	await settle(page);
}

const copied = (page) => page.evaluate(() => navigator.clipboard.readText());
const rows = (page) => page.locator('.ranked .choice');
/** Which dice are marked to be kept. */
const keptDice = (page) =>
	page.locator('.dice .place').evaluateAll((places) => places.map((place) => place.classList.contains('kept')));

kibitz.test('an answer is shown at once, and another takes three clicks', {}, async (page) => {
	await open(page);
	const example = { dice: [1, 3, 3, 4, 6], rolls_left: 2, scorecard: {} };
	let advice = await adviceOn(example);
	await page.getByText(advice.explanation, { exact: true }).first().waitFor();
	assert.deepEqual(await keptDice(page), advice.best.keep_mask);
	// One click opens the faces of a die, the second picks one, the third says that no roll is left.
	await page.getByRole('button', { name: /^Die 1: 1/ }).click();
	await page.getByRole('group', { name: 'Face of this die' }).getByRole('button', { name: '3', exact: true }).click();
	advice = await adviceOn({ ...example, dice: [3, 3, 3, 4, 6] });
	await page.getByText(advice.explanation, { exact: true }).first().waitFor();
	await page.getByText('0', { exact: true }).first().click();
	advice = await adviceOn({ ...example, dice: [3, 3, 3, 4, 6], rolls_left: 0 });
	await page.getByText(advice.explanation, { exact: true }).first().waitFor();
	assert.equal(await page.locator('.box.best').count(), 1, 'the best box is marked on the card');
});

kibitz.test('every action is ranked with what it costs, and one can be graded', {}, async (page) => {
	await open(page, '&dice=1,3,3,4,6&rolls_left=2&ones=3&yahtzee=50');
	const advice = await adviceOn({
		dice: [1, 3, 3, 4, 6],
		rolls_left: 2,
		scorecard: { ones: 3, yahtzee: 50 },
		limit: 50,
	});
	await page.getByRole('button', { name: `Show all ${advice.action_count}` }).click();
	assert.equal(await rows(page).count(), advice.action_count);
	const losses = await page.locator('.ranked .loss').allTextContents();
	advice.actions.slice(1).forEach((action, i) => {
		assert.equal(losses[i + 1].replace('−', ''), action.loss.toFixed(2), `row ${i + 2}`);
	});
	const bars = await page
		.locator('.ranked .track i')
		.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
	assert.ok(
		bars.every((width, i) => i === 0 || width >= bars[i - 1] - 0.5),
		'longer bars cost more',
	);
	await rows(page).filter({ hasText: 'Threes' }).first().click();
	await page.locator('.mine').getByText('blunder').waitFor();
	assert.match(page.url(), /chosen=score:threes/);
	await page
		.locator('.mine')
		.getByText(/rank 24 of 34/)
		.waitFor();
});

kibitz.test('a position is a link', {}, async (page, context) => {
	await open(page);
	await page.getByLabel('Type the dice').fill('66655');
	await page.getByLabel('Rules').selectOption('plain');
	await settle(page);
	const shown = await page.locator('.headline').textContent();
	assert.match(page.url(), /dice=6,6,6,5,5/);
	assert.match(page.url(), /rules=plain/);
	const other = await context.newPage();
	await other.goto(page.url());
	await settle(other);
	assert.equal(await other.locator('.headline').textContent(), shown);
	assert.equal(await other.getByLabel('Rules').inputValue(), 'plain');
	assert.equal(await other.getByLabel('Type the dice').inputValue(), '6 6 6 5 5');
});

kibitz.test('the card is filled by clicking, and its sums follow', {}, async (page) => {
	await open(page, '&dice=6,6,6,5,5&rolls_left=0');
	const box = (name) => page.getByRole('button', { name: new RegExp(`^${name}`) });
	await box('Sixes').click();
	await page.getByRole('group', { name: 'Points in Sixes' }).getByRole('button', { name: '24 points' }).click();
	await settle(page);
	assert.match(page.url(), /sixes=24/);
	await page.getByText('24 / 63').waitFor();
	const advice = await adviceOn({ dice: [6, 6, 6, 5, 5], rolls_left: 0, scorecard: { sixes: 24 } });
	await page.getByText(advice.expected_final.toFixed(2)).first().waitFor();
	await page.getByRole('button', { name: 'Clear', exact: true }).click();
	await settle(page);
	assert.doesNotMatch(page.url(), /sixes=/);
});

kibitz.test('a rejected value is reported at its field', { expected: /status of 422/ }, async (page) => {
	await open(page);
	const typed = page.getByLabel('Type the dice');
	await typed.fill('1 3 3 4 7');
	const fault = page.locator('.fault', { hasText: 'This must be from 1 to 6, not 7.' });
	await fault.waitFor();
	assert.equal(await typed.getAttribute('aria-invalid'), 'true');
	await assertAccessible(page);
	await savePicture(page, 'yahtzee-rejected');
	await typed.fill('1 3 3 4 6');
	await fault.waitFor({ state: 'detached' });
});

kibitz.test(
	'an error in a link is reported in Chinese, too',
	{ language: 'zh', expected: /status of 422/ },
	async (page) => {
		await open(page, '&dice=1,3,3,4,6&rolls_left=5&ones=6');
		await page
			.getByText(/0 到 2|0 至 2|0、1 或 2/)
			.first()
			.waitFor();
		assert.ok((await page.locator('.fault').count()) >= 2, 'each fault at its field');
		await assertFits(page);
	},
);

for (const way of ['curl', 'fetch']) {
	kibitz.test(`the request behind an answer is copied as ${way}, and it works`, {}, async (page) => {
		await open(page);
		await page.locator('request-code').getByText(way, { exact: true }).click();
		await page.locator('request-code').getByRole('button', { name: 'Copy' }).click();
		await page.getByText('Copied').waitFor();
		const text = await copied(page);
		if (way === 'curl') {
			const { execFileSync } = await import('node:child_process');
			const answer = JSON.parse(execFileSync('bash', ['-c', text], { encoding: 'utf8' }));
			assert.equal(answer.best.action, 'reroll');
		} else {
			const answer = await new Function(`return (async () => { ${text}; return answer; })()`)();
			assert.equal(answer.best.action, 'reroll');
		}
	});
}

kibitz.test('the language is switched in place', {}, async (page) => {
	await open(page);
	const dice = page.url();
	await page.getByRole('button', { name: '中文' }).click();
	await page.getByText('最佳选择').first().waitFor();
	assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans');
	assert.equal(await page.title(), '快艇骰子 · Kibitz');
	const { explanation } = await (
		await fetch(`${kibitz.url}yahtzee/best-action?dice=1,3,3,4,6&rolls_left=2&lang=zh`)
	).json();
	await page.getByText(explanation, { exact: true }).first().waitFor();
	assert.equal(page.url(), dice, 'the position stays');
	await page.reload();
	await page.getByText('最佳选择').first().waitFor();
	await page.getByRole('button', { name: 'English' }).click();
	await page.getByText('Best action').first().waitFor();
});

kibitz.test('dice and ranked rows are reached by keyboard', {}, async (page) => {
	await open(page);
	await page.keyboard.press('Tab');
	assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
	await page.getByRole('button', { name: /^Die 1/ }).focus();
	for (const face of '44444') await page.keyboard.press(face);
	await settle(page);
	assert.match(page.url(), /dice=4,4,4,4,4/);
	await page.getByRole('button', { name: /^Die 2/ }).focus();
	await page.keyboard.press('Enter');
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Enter');
	await settle(page);
	assert.match(page.url(), /dice=4,5,4,4,4/);
	await page.getByRole('button', { name: /^Die 2/ }).focus();
	await page.keyboard.press('Enter');
	await page.keyboard.press('Escape');
	await page.locator('.picker').waitFor({ state: 'detached' });
	await rows(page).nth(1).focus();
	await page.keyboard.press('Enter');
	await page.locator('.mine').waitFor();
	assert.equal(
		await page.evaluate(() => document.activeElement.getAttribute('aria-pressed')),
		'true',
		'focus stays on the row',
	);
});

/** Eight turns of a game, and the four after them. */
const [EIGHT, FOUR] = [
	'8-18-A2-3-15-G25-5-26-E20-10-27-D16-14-19-K40-J30-3-20-C9-14-30-H11',
	'-12-12-I25-24-24-B6-7-0-L0-20-22-F18',
];

for (const [language, size, moves, turns] of [
	['en', 'desktop', EIGHT, 5],
	['zh', 'phone', EIGHT + FOUR, 1],
]) {
	kibitz.test(
		`a game is played to its end, graded and told (${language}, ${size})`,
		{ language, size },
		async (page, context) => {
			await open(page, `&mode=play&seed=5&moves=${moves}`);
			const roll = page.locator('[data-key=roll]');
			const open_boxes = page.locator('.score-card button.box:not([aria-disabled])');
			for (let turn = 0; turn < turns; turn += 1) {
				// The first two dice are kept, whatever they are: a player who makes mistakes.
				for (let rolls = 0; rolls < 2; rolls += 1) {
					await page.locator('[data-key=die-0]').click();
					await page.locator('[data-key=die-1]').click();
					await roll.click();
					await settle(page);
				}
				await open_boxes.first().click();
				await settle(page);
			}
			await page.locator('.table').waitFor();
			assert.equal(await page.locator('.ranked').first().locator('li').count(), 3, 'the three worst decisions');
			await assertFits(page);
			await assertAccessible(page);
			await savePicture(page, `yahtzee-over-${language}-${size}`);
			const figures = await page.locator('.answer .figures dd, .figures dd').allTextContents();
			const [start, luck, mistakes, final] = figures.map((text) =>
				Number(text.replace('−', '-').replace('+', '').replaceAll(',', '')),
			);
			assert.ok(Math.abs(start - 254.5877) < 0.01, `${start}`);
			assert.ok(mistakes < 0);
			assert.ok(Math.abs(start + luck + mistakes - final) < 0.02, 'luck and mistakes explain the score');
			assert.equal(Number(await page.locator('.score-card .total .points').textContent()), final);
			// The link holds the whole game.
			const other = await context.newPage();
			await other.goto(page.url());
			await settle(other);
			assert.equal(await other.locator('.score-card .total .points').textContent(), String(final));
		},
	);
}

kibitz.test('the best play loses nothing', {}, async (page) => {
	await open(page, '&mode=play&seed=11');
	const mask = async () => {
		const code = await page.locator('request-code code').textContent();
		const { requests } = JSON.parse(code.match(/-d '(.*)'$/s)[1]);
		return (await adviceOn({ ...requests.at(-1), limit: 1 })).best;
	};
	for (let decision = 0; decision < 3; decision += 1) {
		const best = await mask();
		if (best.action === 'score') {
			await page.locator(`[data-key=box-${best.category}]`).click();
		} else {
			for (const [i, keep] of best.keep_mask.entries()) if (keep) await page.locator(`[data-key=die-${i}]`).click();
			await page.locator('[data-key=roll]').click();
		}
		await settle(page);
		assert.match(await page.locator('.last').textContent(), /best/);
	}
	const figures = await page.locator('.figures dd').allTextContents();
	assert.match(figures[2], /^[−+]?0\.00$/);
});

for (const language of ['en', 'zh']) {
	kibitz.test(
		`the position of a day is the same for everybody, and is graded (${language})`,
		{ language },
		async (page, context) => {
			await open(page, '&mode=daily&date=2026-01-02');
			const faces = (of) =>
				of
					.locator('.dice button')
					.evaluateAll((dice) => dice.map((die) => die.getAttribute('aria-label').match(/[1-6](?=\D*$)/)[0]));
			const dice = await faces(page);
			assert.equal(dice.length, 5);
			const other = await context.newPage();
			await other.goto(page.url());
			await settle(other);
			assert.deepEqual(await faces(other), dice);
			assert.ok(!(await page.locator('.ranked').isVisible()), 'the answer is not told beforehand');
			await page.locator('.score-card button.box:not([aria-disabled])').first().click();
			await page.locator('.result').waitFor();
			const line = await page.locator('.result').textContent();
			assert.match(line, /2026-01-02/);
			assert.match(line, /mode=daily&date=2026-01-02/);
			await page.locator('.button.primary').click();
			await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('2026-01-02'));
			assert.equal(await copied(page), line);
		},
	);
}

kibitz.testVariants(
	'a game and the position of a day fit and read well',
	{},
	async (page, { language, size, scheme }) => {
		for (const [name, query] of [
			['play', 'mode=play&seed=7&moves=6-14'],
			['daily', 'mode=daily&date=2026-01-02'],
			['decided', 'mode=daily&date=2026-01-02&chosen=score:twos'],
		]) {
			await open(page, `&${query}`);
			await page.locator('.score-card').waitFor();
			await assertFits(page);
			await assertAccessible(page);
			await savePicture(page, `yahtzee-${name}-${language}-${size}-${scheme}`);
		}
	},
);
