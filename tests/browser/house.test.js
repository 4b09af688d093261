// The Yahtzee tab under house rules.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, savePicture, settle } from './support.js';
import { address, GAME, kibitz, open, REFUSED, said, shownBody } from './yahtzee_support.js';

/** A busy service returns 503 for new rules, and the page tries again. */
const BUSY = /status of (422|503)/;

kibitz.test('every rule can be changed, and the answer follows', { expected: BUSY }, async (page) => {
	await open(page);
	await page.getByText('Every rule').click();
	const { presets } = await (await fetch(`${kibitz.url}yahtzee/rules`)).json();
	await page
		.getByText(`A game is worth ${presets[0].expected_final.toFixed(2)} points, standard deviation 59.61.`)
		.waitFor();
	await page.getByLabel('Upper bonus', { exact: true }).fill('50');
	await page.keyboard.press('Enter');
	await page.getByText(/A game is worth 265.35 points \(.*\), standard deviation 62.51\./).waitFor();
	const rules = { base: 'official', upper_bonus: { points: 50, threshold: 63 } };
	assert.deepEqual(JSON.parse(address(page).get('rules')), rules, 'the address holds the group that differs');
	assert.deepEqual((await shownBody(page)).rules, rules, 'so does the request');
	const advice = await said('yahtzee/best-action', await shownBody(page));
	await page.getByText(advice.explanation, { exact: true }).first().waitFor();
	await page.getByLabel('Joker', { exact: true }).selectOption('Any box');
	await page.getByLabel('Rolls per turn').selectOption('2');
	await page.getByLabel('Points: Full house').fill('30');
	await page.keyboard.press('Enter');
	await page.getByLabel('Full house from five of a kind').selectOption('Yes');
	await settle(page);
	assert.deepEqual(JSON.parse(address(page).get('rules')), {
		...rules,
		joker: { kind: 'loose', after_zero: true },
		full_house_from_five_of_a_kind: true,
		rolls_per_turn: 2,
		box_points: { full_house: 30, small_straight: 30, large_straight: 40, yahtzee: 50 },
	});
	assert.equal(address(page).get('rolls_left'), '1', 'of two rolls one is left at most');
	await page.locator('[data-key=rolls-2]').waitFor({ state: 'detached' });
	// Points are proposed by these rules.
	await page.getByLabel('Type the dice').fill('3 3 3 6 6');
	await page.locator('[data-key=box-full_house] .points', { hasText: '30' }).waitFor();
	await page.locator('[data-key=box-full_house]').click();
	await page.locator('.picker').getByRole('button', { name: '30 points' }).click();
	await settle(page);
	assert.equal(address(page).get('full_house'), '30');
	await page.reload();
	await page.getByText('House rules').waitFor();
	assert.equal(await page.locator('.fault, .note').count(), 0);
	// A preset takes all changes back.
	await page.getByLabel('Rules', { exact: true }).selectOption('plain');
	await settle(page);
	assert.equal(address(page).get('rules'), 'plain');
	await page.locator('.score-card .fault', { hasText: '30' }).waitFor();
});

kibitz.test('the page knows the presets as the service does', {}, async (page) => {
	const { presets } = await (await fetch(`${kibitz.url}yahtzee/rules`)).json();
	// The page has the card of Yahtzee alone.
	const onCard = presets.filter(({ sheet }) => sheet === 'yahtzee');
	await open(page, { ones: 3 });
	await page.getByText('Every rule').click();
	for (const { name, upper_bonus: upper, yahtzee_bonus: yahtzee, joker, expected_final: mean } of onCard) {
		await page.getByLabel('Rules', { exact: true }).selectOption(name);
		await page.getByText(`A game is worth ${mean.toFixed(2)}`).waitFor();
		const shown = (label) => page.getByLabel(label, { exact: true });
		// Two presets may have the same mean to two digits, so the mean alone does not show that the fields are drawn.
		await shown('Joker')
			.locator('option:checked', { hasText: new RegExp(`^${joker?.kind ?? 'none'}$`, 'i') })
			.waitFor({ state: 'attached' });
		assert.equal(await shown('Upper bonus').inputValue(), String(upper?.points ?? 0), name);
		assert.equal(await shown('Yahtzee bonus').inputValue(), String(yahtzee?.points ?? 0), name);
		const sums = await page.locator('.sum .points').allTextContents();
		assert.deepEqual(
			sums.slice(0, 2),
			[upper ? `3 / ${upper.threshold}` : '3', '0'],
			`${name}: the upper section has its sums`,
		);
	}
});

for (const language of ['en', 'zh']) {
	kibitz.test(
		`a rule that cannot be is told at its field (${language})`,
		{ language, size: 'phone', expected: REFUSED },
		async (page) => {
			await open(page, {
				rules: '{"upper_bonus":{"points":5000,"threshold":0},"rolls_per_turn":4,"surprise":1}',
				ones: 3,
			});
			const wrong = page.locator('[data-key="upper_bonus/points"]');
			assert.equal(await wrong.getAttribute('aria-invalid'), 'true', 'the drawer is open');
			assert.match(
				await page.locator('.field').filter({ has: wrong }).locator('.fault').textContent(),
				/0.*1000.*5000/s,
			);
			assert.match(await page.locator('.note').textContent(), /surprise/, 'what has no field is told, too');
			const threshold = page.locator('[data-key="upper_bonus/threshold"]');
			assert.match(
				await page.locator('.field').filter({ has: threshold }).locator('.fault').textContent(),
				/1.*105.*0/s,
			);
			assert.deepEqual(
				await page.locator('.sum .points').allTextContents(),
				['3 / 0', '0', '0', '3'],
				'no bonus is had for nothing',
			);
			assert.equal(await page.locator('[data-key="rolls_per_turn/"]').inputValue(), '4');
			await assertAccessible(page);
			await assertFits(page);
			await savePicture(page, `yahtzee-rules-refused-${language}`);
		},
	);
}

for (const rules of [
	{ upper_bonus: { foo: 1 } },
	{ upper_bonus: 'abc' },
	{ joker: [] },
	{ rolls_per_turn: { a: 1 } },
	{ yahtzee_bonus: { after_zero: 'abc' } },
]) {
	const text = JSON.stringify(rules);
	kibitz.test(
		`what is no switch is drawn around, and the service says what is wrong: ${text}`,
		{ expected: REFUSED, haste: 10 },
		async (page) => {
			const words = async (path, body) => {
				const response = await fetch(`${kibitz.url}${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				});
				assert.equal(response.status, 422);
				const { errors } = await response.json();
				return errors.map(({ detail }) =>
					page.locator('.note, .fault').getByText(detail, { exact: true }).first().waitFor(),
				);
			};
			const dice = { dice: [1, 3, 3, 4, 6], rolls_left: 2, scorecard: {}, rules: { base: 'official', ...rules } };
			await open(page, { dice: '1,3,3,4,6', rolls_left: 2, rules: text });
			await Promise.all(await words('yahtzee/best-action', dice));
			await page.locator('.score-card').waitFor();
			// Another switch replaces an unknown one.
			if (rules.upper_bonus) {
				if (!(await page.getByLabel('Upper bonus', { exact: true }).isVisible()))
					await page.getByText('House rules').click();
				await page.getByLabel('Upper bonus', { exact: true }).fill('50');
				await page.keyboard.press('Enter');
				await page.locator('.headline').waitFor();
				assert.deepEqual(JSON.parse(address(page).get('rules')).upper_bonus, { points: 50, threshold: 63 });
			}
			await open(page, { mode: 'review' });
			await page.locator('textarea').fill(JSON.stringify({ rules, turns: GAME }));
			await Promise.all(await words('yahtzee/review', { turns: GAME, rules: { base: 'official', ...rules } }));
			await open(page, { mode: 'play', seed: '7', rules: text });
			await page.locator('.note, .fault').first().waitFor();
			await page.locator('.score-card').waitFor();
		},
	);
}

/** The choice of rules shows a name that nobody knows, and what to change. */
async function assertNamed(page, name) {
	const rules = page.getByLabel('Rules', { exact: true });
	assert.equal(await rules.inputValue(), name);
	assert.match(
		await page.locator('.field').filter({ has: rules }).locator('.fault').textContent(),
		new RegExp(`\`${name}\`; known are \\w+, `),
	);
}

kibitz.test(
	'rules that nobody knows are shown by the name that an address gives',
	{ expected: REFUSED },
	async (page) => {
		await open(page, { rules: 'nonsense' });
		await assertNamed(page, 'nonsense');
		await open(page, { rules: '{"base":"nonsense","joker":{"kind":"odd","after_zero":false}}' });
		await assertNamed(page, 'nonsense');
		assert.equal(await page.getByLabel('Joker', { exact: true }).inputValue(), 'odd');
		assert.equal(await page.getByLabel('Joker: After a zero').inputValue(), 'false');
		await page.getByLabel('Rules', { exact: true }).selectOption('plain');
		await page.locator('.headline').waitFor();
		await open(page, { game: 'doudizhu', rules: 'nonsense' });
		await assertNamed(page, 'nonsense');
		assert.match(await page.locator('.side').textContent(), /Fix the highlighted field/);
	},
);

kibitz.test(
	'a pasted request brings its rules; one without any is official',
	{ expected: REFUSED, haste: 10 },
	async (page) => {
		const paste = (game) => page.locator('textarea').fill(JSON.stringify(game));
		const reviewed = () => page.locator('.table').waitFor();
		await open(page, { mode: 'review' });
		for (const rules of [{ rolls_per_turn: 1 }, 'nonsense', true, [1]]) {
			await paste({ rules, turns: GAME });
			await page.locator('.note, .fault').first().waitFor();
			if (rules === 'nonsense') await assertNamed(page, rules);
			await paste({ turns: GAME });
			await reviewed();
			assert.equal((await shownBody(page)).rules, undefined);
		}
		await paste({ rules: { base: null, rolls_per_turn: 3 }, turns: GAME });
		await page.waitForURL(/rules=/);
		await page.reload();
		await reviewed();
		await open(page, { mode: 'review', turns: JSON.stringify({ rules: 'plain', turns: GAME }) });
		await reviewed();
		assert.equal((await shownBody(page)).rules, 'plain');
	},
);

kibitz.test('a game is played under house rules', { expected: BUSY }, async (page) => {
	await open(page, { mode: 'play', seed: '7', rules: '{"rolls_per_turn":1,"yahtzee_bonus":{"points":0}}' });
	assert.equal(await page.locator('[data-key=roll]').getAttribute('aria-disabled'), 'true', 'the only roll was rolled');
	assert.ok(!(await page.locator('.score-card').getByText('Yahtzee bonus').isVisible()));
	await page.locator('.score-card button.box:not([aria-disabled])').first().click();
	await page.getByText('Turn 2 of 13').waitFor();
	assert.equal((await shownBody(page)).requests.at(-1).rolls_left, 0);
});

kibitz.test(
	'a service that is too busy for new rules is reported, and asked again',
	{ expected: /status of 503/ },
	async (page) => {
		let busy = true;
		await page.route(/yahtzee\/(best-action|rules)/, (route) =>
			busy && route.request().postData()?.includes('"points":77')
				? route.fulfill({
						status: 503,
						contentType: 'application/problem+json',
						body: '{"title":"Busy","detail":"Too many new rules at a time."}',
					})
				: route.continue(),
		);
		await open(page);
		await page.getByText('Every rule').click();
		await page.getByLabel('Upper bonus', { exact: true }).fill('77');
		await page.keyboard.press('Enter');
		await page.locator('.side .note', { hasText: 'Too many new rules at a time.' }).waitFor();
		busy = false;
		await page.locator('.side').getByRole('button', { name: 'Try again' }).click();
		await page.locator('.headline').waitFor();
		assert.equal(await page.locator('.side .note').count(), 0);
	},
);

for (const [language, custom, told] of [
	['en', 'Custom, from Official (forced joker)', /points \(\+\d+\.\d\d against Official \(forced joker\)\)/],
	['zh', '自定，基于官方（强制百搭）', /与官方（强制百搭）相比 \+\d+\.\d\d/],
]) {
	for (const size of ['desktop', 'usual', 'narrow'])
		kibitz.test(
			`house rules are named, compared and reset (${language}, ${size})`,
			{ language, size },
			async (page) => {
				const rules = JSON.stringify({ base: 'official', upper_bonus: { points: 50, threshold: 63 } });
				await open(page, { rules });
				const select = page.locator('select[data-key=rules]');
				assert.equal(await select.locator('option:checked').textContent(), custom);
				await page.locator('summary[data-key=switches]').click();
				await page.locator('#main').getByText(told).waitFor();
				await assertFits(page);
				await page.locator('[data-key=reset]').click();
				await settle(page);
				assert.equal(await select.inputValue(), 'official');
				assert.equal(address(page).get('rules'), null);
				// Choosing the preset again is a way back, too.
				await open(page, { rules });
				await select.selectOption('official');
				await settle(page);
				assert.equal(address(page).get('rules'), null);
			},
		);
}
