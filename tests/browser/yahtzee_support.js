// What the tests of the Yahtzee tab share: a service, its answers, and games.

import assert from 'node:assert/strict';

import { settle, setUp } from './support.js';

export const kibitz = setUp();
export const REFUSED = /status of 422/;

export async function open(page, query = {}) {
	await page.goto(`${kibitz.url}?${new URLSearchParams({ game: 'yahtzee', ...query })}`);
	await settle(page);
}

/** What the service itself says. */
export async function said(path, body) {
	const response = await fetch(kibitz.url + path, {
		method: 'POST',
		headers: { 'content-type': 'application/json', prefer: 'wait=60' },
		body: JSON.stringify(body),
	});
	assert.equal(response.status, 200);
	return response.json();
}

/** The body of the request that a page shows. */
export async function shownBody(page, nth = 0) {
	const code = await page.locator('request-code code').nth(nth).textContent();
	return JSON.parse(code.match(/-d '(.*)'$/s)[1]);
}

export const value = (text) => Number(text.replace('−', '-').replaceAll(/[,+≤ ]/g, ''));
export const figures = async (page) => (await page.locator('.figures dd').allTextContents()).map(value);
export const address = (page) => new URL(page.url()).searchParams;

export const GAME = [
	{
		rolls: [
			[1, 3, 3, 4, 6],
			[3, 3, 3, 2, 5],
			[3, 3, 3, 6, 6],
		],
		keeps: [
			[3, 3],
			[3, 3, 3],
		],
		category: 'full_house',
	},
	{ rolls: [[2, 3, 4, 5, 6]], category: 'small_straight' },
];
/** A whole game of the page: seed and moves. */
export const PLAYED = {
	mode: 'play',
	seed: '5',
	moves:
		'8-18-A2-3-15-G25-5-26-E20-10-27-D16-14-19-K40-J30-3-20-C9-14-30-H11-12-12-I25-24-24-B6-7-0-L0-20-22-F18-3-15-M24',
};
/** All but sixes and chance. */
export const LATE = {
	ones: 3,
	twos: 6,
	threes: 9,
	fours: 12,
	fives: 15,
	three_of_a_kind: 22,
	four_of_a_kind: 0,
	full_house: 25,
	small_straight: 30,
	large_straight: 40,
	yahtzee: 0,
};
