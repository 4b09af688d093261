// The Dou Dizhu tab, as a player uses it.

import assert from 'node:assert/strict';

import { assertAccessible, assertFits, SCREENS, settle, setUp } from './support.js';

const kibitz = setUp();
const REFUSED = /status of 422/;

/** What the service itself says. */
async function ask(path, body, language = 'en') {
	const response = await fetch(`${kibitz.url}doudizhu/${path}?lang=${language}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	assert.equal(response.status, 200);
	return response.json();
}

async function open(page, query = '') {
	await page.goto(`${kibitz.url}?game=doudizhu${query}`);
	await settle(page);
}

const says = (page, text) => page.locator('doudizhu-tab').getByText(text, { exact: true }).first().waitFor();
const rows = (page) => page.locator('.ranked button.choice');
const pressed = (page) => page.locator('.deck [aria-pressed="true"]');
const shown = (page) => page.locator('.plays .fan');
/** The tokens in the address. */
const cardsOf = (page) => new URL(page.url()).searchParams.get('cards').split(',');

for (const language of ['en', 'zh']) {
	kibitz.test(`an example stands there, answered (${language})`, { language }, async (page) => {
		await open(page);
		const answer = await ask('min-plays', { cards: cardsOf(page) }, language);
		await says(page, answer.explanation);
		assert.equal(await pressed(page).count(), answer.card_count);
		assert.equal(await shown(page).count(), answer.min_plays);
		for (const play of answer.plays) {
			const row = page.locator('.plays li').filter({ hasText: play.name }).filter({ hasText: play.name_zh });
			assert.ok((await row.count()) > 0, `${play.name} in both languages`);
		}
		const percent = (share) => `${(share * 100).toFixed(2)}%`;
		const shares = await page.locator('.shares + p').textContent();
		for (const share of Object.values(answer.percentile))
			assert.ok(shares.includes(percent(share)), `${shares} tells ${share}`);
	});
}

kibitz.test('a pasted hand is answered, every card drawn once', {}, async (page) => {
	await open(page);
	const hand = '3 3 3 4 4 4 5 6 7 8 9 10 j q 2 2 小王 大王';
	await page.getByLabel('Type or paste a hand').fill(hand);
	await says(page, (await ask('min-plays', { hand })).explanation);
	assert.equal(await page.locator('.plays .card').count(), 18);
	assert.equal(await page.getByText('Your hand: 18 cards').count(), 1);
});

kibitz.test('suit signs are accepted in a pasted hand, on either side', {}, async (page) => {
	for (const hand of [
		'♠3 ♥3 ♦3 ♣4 ♠10',
		'3♠3♥3♦4♣10♠',
		'\u2660\ufe0f3\u2665\ufe0f3\u2666\ufe0f3\u2663\ufe0f4\u2660\ufe0f10',
	]) {
		await open(page);
		await page.getByLabel('Type or paste a hand').fill(hand);
		await says(page, (await ask('min-plays', { cards: ['S3', 'H3', 'D3', 'C4', 'ST'] })).explanation);
		assert.deepEqual(await pressed(page).evaluateAll((cards) => cards.map((card) => card.value)), [
			'S3',
			'H3',
			'D3',
			'C4',
			'ST',
		]);
	}
	await page.reload();
	await page.getByText('Your hand: 5 cards').waitFor();
});

kibitz.test('cards are clicked and reached by arrows', {}, async (page) => {
	await open(page);
	await page.getByRole('button', { name: 'Clear' }).click();
	assert.equal(await pressed(page).count(), 0);
	await page.getByRole('button', { name: 'three of spades' }).click();
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Space');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await says(page, (await ask('min-plays', { cards: ['S3', 'S4', 'H4'] })).explanation);
	assert.deepEqual(cardsOf(page), ['S3', 'S4', 'H4']);
	await page.getByRole('button', { name: 'four of hearts' }).click();
	await says(page, (await ask('min-plays', { cards: ['S3', 'S4'] })).explanation);
	await page.getByRole('button', { name: 'small joker' }).click();
	await page.waitForURL(/cards=S3,S4,B/);
});

kibitz.test('what is wrong with a hand is said at its field', { expected: REFUSED }, async (page) => {
	await open(page);
	const field = page.getByLabel('Type or paste a hand');
	await field.fill('33333z');
	await page.locator('.field').filter({ has: field }).locator('.fault').waitFor();
	assert.match(await page.locator('.fault').textContent(), /character 5.*character 6/s);
	assert.equal(await field.getAttribute('aria-invalid'), 'true');
	assert.equal(await shown(page).count(), 0, 'no answer to another hand is left');
});

kibitz.test('six rule sets, and the answer follows them', {}, async (page) => {
	await open(page, '&hand=333355');
	const rules = page.getByLabel('Rules');
	assert.equal(await rules.locator('option').count(), 6);
	for (const [id, plays] of [
		['standard', '1 play'],
		['pagat', '2 plays'],
		['loose', '1 play'],
		['simple', '2 plays'],
	]) {
		await rules.selectOption(id);
		await page.waitForURL(new RegExp(`rules=${id}`));
		await page.locator('.fewest').getByText(plays, { exact: true }).waitFor();
	}
});

kibitz.test('a dealt hand is a link', {}, async (page, context) => {
	await open(page);
	for (const count of [17, 20]) {
		await page.getByRole('button', { name: `Deal ${count} cards` }).click();
		await page.getByText(`Your hand: ${count} cards`).waitFor();
		await page.waitForFunction((n) => new URL(location.href).searchParams.get('cards').split(',').length === n, count);
	}
	const { explanation } = await ask('min-plays', { cards: cardsOf(page) });
	await says(page, explanation);
	const other = await context.newPage();
	await other.goto(page.url());
	await says(other, explanation);
});

kibitz.test('a hint is played and taken back', {}, async (page) => {
	const hand = '3334456BR2222';
	await open(page, `&hand=${hand}`);
	const hints = await ask('plays', { hand, limit: 1000 });
	await says(page, hints.explanation);
	await page.getByRole('button', { name: `Show all ${hints.total}` }).click();
	await page.waitForFunction((n) => document.querySelectorAll('.ranked .choice').length === n, hints.total);
	const losses = await page.locator('.ranked .loss').allTextContents();
	assert.deepEqual(
		losses.map(Number),
		hints.plays.map((play) => play.loss),
	);
	assert.equal(
		await rows(page).filter({ hasText: 'splits a bomb' }).count(),
		hints.plays.filter((play) => play.splits_bomb).length,
	);
	assert.equal(
		await rows(page).filter({ hasText: 'splits the rocket' }).count(),
		hints.plays.filter((play) => play.splits_rocket).length,
	);
	for (let left = hints.min_plays - 1; left >= 0; left -= 1) {
		await rows(page).first().click();
		await page
			.getByText(left ? new RegExp(`^${left} plays?$`) : `All cards are out in ${hints.min_plays} plays.`)
			.first()
			.waitFor();
	}
	for (let left = 1; left <= hints.min_plays; left += 1) {
		await page.getByRole('button', { name: 'Undo' }).click();
		await page
			.locator('.fewest')
			.getByText(new RegExp(`^${left} plays?$`))
			.waitFor();
	}
	assert.equal(new URL(page.url()).searchParams.get('hand'), hand);
});

kibitz.test('a play on the table is beaten or passed', { expected: REFUSED }, async (page) => {
	const hand = '7788999AAAA';
	await open(page, `&hand=${hand}`);
	await page.getByText('Beat a play').click();
	for (const card of ['five', 'five']) await page.locator('.keys').getByRole('button', { name: card }).click();
	const beating = await ask('plays', { hand, beat: '55' });
	await says(page, beating.explanation);
	assert.equal(await rows(page).count(), beating.total);
	await page.waitForURL(/beat=55/);
	await page.getByLabel('Play to beat').fill('BR');
	await says(page, (await ask('plays', { hand, beat: 'BR' })).explanation);
	assert.equal(await rows(page).count(), 0);
	await page.getByLabel('Play to beat').fill('34');
	await page.locator('.fault').getByText('34 is no legal play under these rules.').waitFor();
});

kibitz.test('cards that can be read in several ways offer their readings', {}, async (page) => {
	const asked = { hand: '555666777888BR3', rules: 'loose', beat: '333444555666' };
	await open(page, `&${new URLSearchParams(asked)}`);
	const reading = page.getByRole('group', { name: 'Read as' });
	await reading.waitFor();
	const totals = [];
	for (const [name, kind] of [
		['airplane', 'plane'],
		['airplane with single wings', 'plane_singles'],
	]) {
		await reading.getByText(name, { exact: true }).click();
		const answer = await ask('plays', { ...asked, beat_kind: kind });
		await says(page, answer.explanation);
		totals.push(answer.total);
	}
	assert.notEqual(totals[0], totals[1]);
	await page.waitForURL(/beat_kind=plane_singles/);
});

kibitz.test('the requests are the very ones that were made', {}, async (page) => {
	const made = new Map();
	page.on('request', (request) => made.set(new URL(request.url()).pathname, request.postDataJSON?.()));
	await open(page, '&hand=7788999AAAA&beat=55');
	const codes = await page.locator('request-code code').allTextContents();
	assert.equal(codes.length, 2);
	for (const code of codes) {
		const path = new URL(/'(http[^']*)'/.exec(code)[1]).pathname;
		assert.deepEqual(JSON.parse(/-d '(.*)'/s.exec(code)[1]), made.get(path), path);
	}
});

kibitz.testVariants('the widest play fits, with a play to beat', {}, async (page) => {
	await open(page, '&hand=33344455566677789TJQ&rules=loose&beat=3');
	await page.locator('.plays .card').first().waitFor();
	await assertFits(page);
	await assertAccessible(page);
});

kibitz.testVariants(
	'equal plays are grouped, passing has its row, and what is counted is said',
	{ variants: SCREENS },
	async (page, { language, size }) => {
		const asked = { hand: '3444556789TJQK22BR', beat: '33' };
		await open(page, `&${new URLSearchParams(asked)}`);
		const answer = await ask('plays', { ...asked, limit: 1000 }, language);
		const zh = language === 'zh';
		const losses = [...new Set(answer.plays.map(({ loss }) => loss))];
		assert.equal(await page.locator('.ties').count(), losses.length);
		const ties = answer.plays.filter(({ loss }) => loss === 0).length;
		await says(page, zh ? `手数最少：${ties} 种` : `Fewest plays: ${ties} ways`);
		const pass = page.locator('.ties').first().locator('.choice').last();
		assert.match(
			await pass.textContent(),
			zh ? new RegExp(`不出还剩 ${answer.min_plays} 手`) : new RegExp(`Pass${answer.min_plays} left`),
		);
		await page.getByText(zh ? '不考虑其他玩家的牌' : 'other players are not considered').waitFor();
		await page.getByText(zh ? '先列不拆炸弹的' : 'first those that split no bomb').waitFor();
		if (size !== 'desktop') {
			const [hand, now, least] = await page
				.locator('.dice-panel, .card-panel, .side')
				.evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
			assert.ok(hand < now && now < least, 'what to play comes before how it was counted');
			const bar = await page.locator('.answer-bar').boundingBox();
			assert.ok(bar.y + bar.height <= page.viewportSize().height + 1);
		}
		// A hand that was cleared, and one that was dealt over it, come back.
		await page.locator('[data-key=clear]').click();
		await page.locator('[data-key=deal-17]').click();
		await settle(page);
		for (let back = 0; back < 2; back += 1) await page.locator('[data-key=undo]').click();
		await settle(page);
		assert.equal(new URL(page.url()).searchParams.get('hand'), asked.hand);
		await assertFits(page);
		await assertAccessible(page);
	},
);
