// The Yahtzee tab beyond one position: the review of a game, the distribution of the final score.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, SCREENS, savePicture, settle } from './support.js';
import {
	address,
	figures,
	GAME,
	kibitz,
	LATE,
	open,
	PLAYED,
	REFUSED,
	said,
	shownBody,
	value,
} from './yahtzee_support.js';

kibitz.test('an example is reviewed at once; a pasted game follows', {}, async (page) => {
	await open(page);
	await page.getByText('Review', { exact: true }).click();
	await page.locator('.table tbody tr').nth(12).waitFor();
	await page.getByLabel('Paste or type a game').fill(JSON.stringify({ rules: 'plain', turns: GAME }, null, 2));
	await page.waitForURL(/turns=/);
	await settle(page);
	const review = await said('yahtzee/review', { rules: 'plain', turns: GAME });
	assert.deepEqual(await shownBody(page), { turns: GAME, rules: 'plain' }, 'a request brings its rules');
	const [start, luck, mistakes, points, left] = await figures(page);
	for (const [shown, exact] of [
		[start, review.totals.start_value],
		[luck, review.totals.luck],
		[mistakes, -review.totals.loss],
		[points, review.totals.points_so_far],
		[left, review.totals.remaining_value],
	])
		assert.ok(Math.abs(shown - exact) < 0.006, `${shown} ${exact}`);
	assert.ok(
		Math.abs(start + luck + mistakes - points - left) < 0.03,
		'start + luck - mistakes = points + what remains',
	);
	const rows = await page.locator('.table tbody tr').allTextContents();
	assert.match(rows[1], /^2 Small straight30\+.*blunder −15\.\d\d$|^2 Small straight30/);
	assert.equal(await page.locator('.course path.curve').count(), 1);
	// The worst decision leads to its position in the analyser.
	await page.locator('a.choice').first().click();
	await page.getByText('Best action').waitFor();
	await settle(page);
	const query = address(page);
	assert.equal(query.get('dice'), '2,3,4,5,6');
	assert.equal(query.get('full_house'), '25');
	assert.equal(query.get('chosen'), 'score:small_straight');
	assert.equal(query.get('rules'), 'plain');
	await page.locator('.mine').waitFor();
	await page.goBack();
	await page.getByRole('link', { name: 'Example' }).click();
	await page.locator('.table tbody tr').nth(12).waitFor();
});

/** What is told of a text that is no game. */
const ODD = {
	en: { place: 'line 1, column 3', end: 'The JSON breaks off', remedy: 'Paste turns as the example has them' },
	zh: { place: '第 1 行第 3 列', end: '缺少结尾', remedy: '请粘贴示例那样的各回合' },
};

for (const [language, turn, kept] of [
	['en', 'Turn 1, roll 2, die 5: ', 'kept of roll 1'],
	['zh', '第 1 回合，第 2 掷，第 5 枚：', '第 1 掷的保留'],
]) {
	kibitz.test(
		`what is wrong in a pasted game is told with its turn and roll (${language})`,
		{ language, size: 'phone', expected: REFUSED, haste: 10 },
		async (page) => {
			await open(page, {
				mode: 'review',
				turns: JSON.stringify([{ ...GAME[0], rolls: [GAME[0].rolls[0], [3, 3, 3, 2, 7], GAME[0].rolls[2]] }]),
			});
			const fault = page
				.locator('.field')
				.filter({ has: page.locator('textarea') })
				.locator('.fault');
			assert.ok((await fault.textContent()).startsWith(turn), await fault.textContent());
			await page.locator('textarea').fill(
				JSON.stringify([
					{
						...GAME[0],
						keeps: [
							[4, 4],
							[3, 3, 3],
						],
					},
				]),
			);
			await fault.getByText(kept).waitFor();
			assert.equal(await page.locator('textarea').getAttribute('aria-invalid'), 'true');
			assert.ok(!(await page.locator('.table').isVisible()), 'no review of another game is left');
			await assertAccessible(page);
			await assertFits(page);
			// A browser may quote a text, and this is then no word of its own.
			for (const [text, told] of [
				['[{]', ODD[language].place],
				['[1.x]', ODD[language].place.replace('3', '4')],
				['[{"rolls":[[1', ODD[language].end],
				['["a', ODD[language].end],
				['[1,]', /"\[1,\]"/],
				['hello', /[“"]hello[”"]/],
				['the end of my game', /[“"]the end of my game[”"]/],
				['at line 3 column 4', /[“"]at line 3 column 4[”"]/],
				['5', /[“"]5[”"]/],
				[`"${'long'.repeat(30)}"`, /[：:] ?"(long){9}lon…/],
			]) {
				await page.locator('textarea').fill(text);
				await fault.filter({ hasText: told }).filter({ hasText: ODD[language].remedy }).waitFor();
			}
			await savePicture(page, `yahtzee-review-refused-${language}`);
			await page.locator('textarea').fill(JSON.stringify(GAME));
			await page.locator('.table tbody tr').nth(1).waitFor();
		},
	);
}

kibitz.test('a finished game is reviewed, and its score is marked in the distribution', {}, async (page) => {
	await open(page, PLAYED);
	const review = await said('yahtzee/review', await shownBody(page));
	assert.equal(await page.locator('.table tbody tr').count(), 13);
	assert.equal((await figures(page))[3], review.totals.points_so_far);
	assert.equal(await page.getByText('With best play from this card').count(), 0, 'no card is left to go on from');
	const submitted = page.waitForResponse(/yahtzee\/distribution\?/);
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	const { id } = await (await submitted).json();
	await page.getByRole('progressbar').waitFor();
	await page.getByText(/261 points: the best play ends lower in/).waitFor({ timeout: 120_000 });
	assert.equal(await page.getByLabel('Your score').inputValue(), '261');
	const { pmf } = (await (await fetch(`${kibitz.url}yahtzee/distributions/${id}`)).json()).result;
	const less = (100 * pmf.slice(0, 261).reduce((sum, share) => sum + share)).toFixed(2);
	await page.getByText(`lower in ${less}% of games`).waitFor();
	assert.equal(
		await page.locator('.chart .exact').count(),
		3,
		'the start in the curve, the median and the score below',
	);
});

kibitz.test('a distribution that takes long is cancelled', {}, async (page) => {
	await open(page, PLAYED);
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	await page.getByRole('button', { name: 'Cancel' }).click();
	await page
		.locator('#main')
		.getByText(/^Cancelled · /)
		.waitFor();
	await page.getByRole('button', { name: 'Show', exact: true }).waitFor();
	// Another card forgets the job.
	await page.getByText('New game').click();
	await page.getByText('Turn 1 of 13').waitFor();
	assert.ok(!(await page.getByText('How likely each final score is').isVisible()));
});

kibitz.test('the probability of each final score is shown beside a position', {}, async (page) => {
	await open(page, { dice: '6,6,6,2,1', rolls_left: 2, ...LATE });
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	const told = await said('yahtzee/distribution', { scorecard: LATE, targets: [241] });
	const shown = page.locator('.side .panel', { hasText: 'How likely' });
	await shown.getByText(told.mean.toFixed(2)).waitFor();
	const numbers = (await shown.locator('.figures dd').allTextContents()).map(value);
	assert.deepEqual(numbers.slice(1), [
		Number(told.standard_deviation.toFixed(2)),
		told.mode,
		...told.percentiles.slice(1, 9).map((one) => one.score),
	]);
	assert.equal(await shown.locator('.exact').count(), 1, 'the median alone is marked');
	await page.getByLabel('Your score').fill('240');
	await page.keyboard.press('Enter');
	await shown.getByText(`higher in ${(100 * told.at_least[0].probability).toFixed(2)}%`).waitFor();
	assert.equal(await shown.locator('.exact').count(), 2);
	assert.deepEqual(await shownBody(page, 1), { scorecard: LATE, full: true });
	// A score beyond the possible ones is reported; the axis stays, and so does text that is no score.
	const bars = () => shown.locator('.bar').evaluateAll((all) => all.map((bar) => bar.getAttribute('x')));
	const before = await bars();
	await page.getByLabel('Your score').fill('99999');
	await page.keyboard.press('Enter');
	await shown.getByText(/Scores range from 167 to 257; the chart shows \d+ to 2\d\d\./).waitFor();
	assert.deepEqual(await bars(), before);
	assert.equal(await shown.locator('.exact').count(), 1);
	for (const wrong of ['-5', '2.5', 'many']) {
		await page.getByLabel('Your score').fill(wrong);
		await page.keyboard.press('Enter');
		await shown.locator('.fault', { hasText: 'a whole number' }).waitFor();
		assert.equal(await page.getByLabel('Your score').inputValue(), wrong);
		assert.equal(await shown.getByText('99999').count(), 0);
	}
	// Another card has another answer.
	await page.locator('[data-key=clear]').click();
	await settle(page);
	assert.equal(await shown.locator('.bar').count(), 0);
});

const CHANCES = {
	mean: 150,
	standard_deviation: 50,
	mode: 150,
	percentiles: Array.from({ length: 10 }, (_, i) => ({ percent: 10 * i, score: 100 + i })),
	pmf: Array(301).fill(1 / 301),
};

kibitz.test('the distribution stays for another game under the same rules, with its score', {}, async (page) => {
	let asked = 0;
	await page.route(/yahtzee\/distribution\?/, (route) => {
		asked += 1;
		return route.fulfill({ json: CHANCES });
	});
	await open(page, { mode: 'review' });
	const { turns } = await shownBody(page);
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	await page.getByText('261 points: the best play').waitFor();
	// What is typed stays when the same game changes elsewhere.
	await page.getByLabel('Your score').fill('200');
	await page.keyboard.press('Enter');
	await page.getByText('200 points: the best play').waitFor();
	await page.getByRole('button', { name: '中文' }).click();
	await page.getByText('200 分：').waitFor();
	assert.match(await page.locator('request-code').last().textContent(), /lang=zh/);
	await page.getByRole('button', { name: 'English' }).click();
	await page
		.locator('textarea')
		.fill(JSON.stringify([...turns.slice(0, 12), { rolls: [[5, 6, 6, 6, 6]], category: 'chance' }]));
	await page.getByText('266 points: the best play').waitFor();
	assert.equal(await page.getByLabel('Your score').inputValue(), '266');
	assert.equal(asked, 1, 'the distribution is the same');
});

kibitz.test('a distribution that is taken up too late is cancelled', {}, async (page) => {
	let answer;
	const held = new Promise((resolve) => {
		answer = resolve;
	});
	const job = { id: 'a'.repeat(32), status: 'queued', progress: { done: 0, total: 9 } };
	await page.route(/yahtzee\/distribution\?/, async (route) => {
		await held;
		await route.fulfill({ status: 202, json: job });
	});
	await page.route(/distributions\/a+\/cancel/, (route) => route.fulfill({ json: { ...job, status: 'cancelled' } }));
	await open(page, PLAYED);
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	await page.getByText('New game').click();
	await page.getByText('Turn 1 of 13').waitFor();
	const cancelled = page.waitForRequest((request) => request.url().includes(`${job.id}/cancel`));
	answer();
	assert.equal((await cancelled).method(), 'POST');
	assert.ok(!(await page.getByRole('progressbar').isVisible()));
});

kibitz.test(
	'a rejected distribution is reported; a full card offers none',
	{ expected: /status of 4/ },
	async (page) => {
		await open(page, { dice: '6,6,6,2,1', rolls_left: 2, ...LATE, twos: 7 });
		await page.getByRole('button', { name: 'Show', exact: true }).click();
		const panel = page.locator('.side .panel', { hasText: 'How likely' });
		await panel.locator('.note').waitFor();
		await open(page, { dice: '6,6,6,2,1', rolls_left: 2, ...LATE, sixes: 18, chance: 9 });
		await page.locator('.side', { hasText: 'The game is over' }).waitFor();
		assert.ok(!(await panel.isVisible()));
	},
);

kibitz.testVariants(
	'a review, its distribution and the rules fit and read well',
	{},
	async (page, { language, size, scheme }) => {
		const name = (what) => `yahtzee-${what}-${language}-${size}-${scheme}`;
		await open(page, { mode: 'review' });
		await page.locator('.table').waitFor();
		await assertFits(page);
		await assertAccessible(page);
		await savePicture(page, name('review'));
		await open(page, PLAYED);
		await page.locator('.table').waitFor();
		await assertFits(page);
		await open(page, { dice: '6,6,6,2,1', rolls_left: 2, ...LATE });
		await page.locator('[data-key=likely]').click();
		await page.locator('.bar').first().waitFor();
		await page.locator('[data-key=score]').fill('240');
		await page.keyboard.press('Enter');
		await page.locator('[data-key=switches]').click();
		await settle(page);
		const lines = await page.locator('.rules label').evaluateAll((labels) =>
			labels.map((label) => {
				const [text, control] = [label, label.nextElementSibling].map((element) => element.getBoundingClientRect());
				return text.right <= control.left && text.top < control.bottom && text.bottom > control.top
					? text.height
					: 'not beside its control';
			}),
		);
		assert.equal(lines.length, 13);
		assert.ok(Math.max(...lines) <= (size === 'phone' ? 44 : 22), `labels of a line, of two on a phone: ${lines}`);
		await assertFits(page);
		await assertAccessible(page);
		await savePicture(page, name('likely'));
	},
);

kibitz.testVariants(
	'a game is typed in lines, or entered in fields',
	{ variants: SCREENS, haste: 10 },
	async (page, { language }) => {
		await open(page, { mode: 'review' });
		const area = page.locator('textarea');
		assert.equal((await area.inputValue()).split('\n').length, 13, 'the example has a line for each turn');
		const type = async (text) => {
			await area.fill(text);
			await page.waitForURL((url) => url.searchParams.get('turns') === text);
			await settle(page);
		};
		await type('13346 33 / 33325 333 / 33366 FH\n23456 SS');
		assert.deepEqual(await shownBody(page), {
			turns: GAME.map((turn) => ({ keeps: [], ...turn })),
		});
		await type('1 3 3 4 6 keep 33 / 33366 full_house');
		assert.equal((await shownBody(page)).turns[0].category, 'full_house');
		await area.fill('13346 33 / 33325 333 / 33366 XX');
		const fault = page.locator('.field').filter({ has: area }).locator('.fault');
		await fault.getByText(language === 'en' ? 'Line 1: "33366 XX"' : '第 1 行：“33366 XX”').waitFor();
		await area.fill('');
		await page.locator('[data-key=form]').click();
		for (const [key, text] of Object.entries({ 'rollN-0': '13346', 'keptN-0': '33', 'rollN-1': '33366' }))
			await page.locator(`[data-key=${key}]`).fill(text);
		await page.locator('[data-key=box]').selectOption('full_house');
		await page.locator('[data-key=add]').click();
		await settle(page);
		assert.equal((await area.inputValue()).trim(), '13346 33 / 33366 full_house');
		assert.deepEqual((await shownBody(page)).turns, [
			{
				rolls: [
					[1, 3, 3, 4, 6],
					[3, 3, 3, 6, 6],
				],
				keeps: [[3, 3]],
				category: 'full_house',
			},
		]);
		await page.reload();
		await page.locator('.table tbody tr').first().waitFor();
		await page.locator('[data-key=form]').click();
		await page.locator('[data-key=add]').click();
		await page.locator('.turn-form .fault').waitFor();
		await assertFits(page);
		await assertAccessible(page);
	},
);
