// The reference: readable at any width without a script, and its examples can be sent.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, SCHEMES, SIZES, savePicture, settle, setUp } from './support.js';

const kibitz = setUp();

// It has one language: every size in every scheme.
const variants = Object.keys(SIZES).flatMap((size) => SCHEMES.map((scheme) => ({ language: 'en', size, scheme })));

kibitz.testVariants('the reference shows itself', { variants }, async (page, { size, scheme }) => {
	await page.goto(`${kibitz.url}docs`);
	await settle(page);
	assert.equal(await page.locator('h1').textContent(), 'Reference');
	await assertFits(page);
	// All of it takes seconds: in the dark one operation stands for the others, which are made alike.
	await assertAccessible(page, scheme === 'dark' ? ['header', 'nav', '#postBestAction'] : undefined);
	await savePicture(page, `docs-${size}-${scheme}`, { fullPage: false });
});

kibitz.test('an example can be changed and sent', {}, async (page) => {
	await page.goto(`${kibitz.url}docs#postBestAction`);
	const article = page.locator('#postBestAction');
	const example = article.locator('.example').first();
	await example.locator('summary').click();
	const body = example.getByLabel('Body');
	await body.fill('{"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "limit": 1}');
	assert.match(
		await example.locator('> figure pre').first().textContent(),
		new RegExp(`curl -s ${kibitz.url}yahtzee/best-action`),
	);
	await example.getByRole('button', { name: 'Send' }).click();
	await example.getByText('Answer of this service').waitFor();
	assert.match(await example.getByRole('status').textContent(), /^200 in \d+ ms$/);
	const answer = JSON.parse(await example.locator('.try pre').textContent());
	assert.equal(answer.best.category, 'yahtzee');
	await savePicture(page, 'docs-sent', { fullPage: false });
	await example.getByRole('button', { name: 'Copy the command' }).click();
	await example.getByText('Copied.').waitFor();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	assert.match(copied, /-d '\{"dice": \[6, 6, 6, 6, 6\]/);
});

kibitz.test('an error of the service is shown as it is', { expected: /422/ }, async (page) => {
	await page.goto(`${kibitz.url}docs`);
	const example = page.locator('#postBestAction .example').first();
	await example.locator('summary').click();
	await example.getByLabel('Body').fill('{"dice": [1]}');
	await example.getByRole('button', { name: 'Send' }).click();
	await example.getByText('Answer of this service').waitFor();
	assert.match(await example.getByRole('status').textContent(), /^422/);
	assert.equal(JSON.parse(await example.locator('.try pre').textContent()).code, 'invalid_request');
});

kibitz.test('a link asks in the query', {}, async (page) => {
	await page.goto(`${kibitz.url}docs`);
	const example = page.locator('#getBestAction .example').first();
	await example.locator('summary').click();
	assert.match(await example.getByLabel('Path and query').inputValue(), /^yahtzee\/best-action\?dice=1,3,3,4,6/);
	await example.getByRole('button', { name: 'Send' }).click();
	await example.getByText('Answer of this service').waitFor();
	assert.match(await example.getByRole('status').textContent(), /^200/);
});

kibitz.test('it can be read without scripts', { javaScriptEnabled: false, size: 'phone' }, async (page) => {
	await page.goto(`${kibitz.url}docs`);
	await page.locator('nav').getByRole('link', { name: 'POST /yahtzee/best-action', exact: true }).click();
	assert.match(page.url(), /#postBestAction$/);
	assert.ok(await page.locator('#postBestAction').getByText('How many ranked actions to return').isVisible());
});
