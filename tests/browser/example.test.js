// examples/yahtzee.html, as a game maker would serve it: from another origin than the service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { assertAccessible, assertFits, ROOT, savePicture, setUp } from './support.js';

const kibitz = setUp();
const html = readFileSync(join(ROOT, 'examples', 'yahtzee.html'), 'utf8');
const hosts = [];
let server;

before(async () => {
	server = createServer((request, response) => {
		const found = request.url.startsWith('/yahtzee.html');
		response.writeHead(found ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' }).end(found ? html : '');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	hosts.push(`http://127.0.0.1:${server.address().port}`);
});
after(() => server.close());

const open = (page, service = kibitz.url.slice(0, -1)) =>
	page.goto(`${hosts[0]}/yahtzee.html?kibitz=${encodeURIComponent(service)}`);

test('the example is short', () => {
	assert.ok(html.trimEnd().split('\n').length <= 140);
});

for (const [size, turns] of [
	['phone', 1],
	['desktop', 13],
]) {
	kibitz.test(
		`the example plays ${turns === 13 ? 'a whole game' : 'a turn'} (${size})`,
		{ size, hosts },
		async (page) => {
			await open(page);
			const status = page.getByRole('status');
			const boxes = page.locator('.boxes button');
			await boxes.first().waitFor();
			await assertFits(page);
			await assertAccessible(page);
			for (let turn = 0; turn < turns; turn++) {
				for (let rolls = 2; rolls > 0; rolls--) {
					await page.getByRole('button', { name: 'What would Kibitz do?' }).click();
					if (turn === 0 && rolls === 2) await savePicture(page, `example-${size}`);
					if (await page.locator('.boxes .best').count()) break;
					const best = page.locator('.dice .best');
					for (let i = 0; i < (await best.count()); i++) await best.nth(i).click();
					assert.equal(await page.locator('.dice [aria-pressed=true]').count(), await best.count());
					const answered = page.waitForResponse(/best-action/);
					await page.getByRole('button', { name: 'Roll the others' }).click();
					await answered;
					await page.locator('.dice .best').first().waitFor({ state: 'detached' });
				}
				await page.getByRole('button', { name: 'What would Kibitz do?' }).click();
				await page.locator('.boxes .best').click();
				if (turn < 12) await page.locator('.boxes .best').waitFor({ state: 'detached' });
			}
			if (turns < 13) return;
			const [, points] = (await status.textContent()).match(/^The game is over: (\d+) points\.$/);
			assert.ok(Number(points) >= 5 && Number(points) <= 1575, points);
			assert.equal(await boxes.locator(':enabled').count(), 0);
		},
	);
}

kibitz.test(
	'the example says where it found no service',
	{ hosts, expected: /ERR_CONNECTION_REFUSED|another host/ },
	async (page) => {
		await open(page, 'http://127.0.0.1:65534');
		await page.getByText('There is no Kibitz at http://127.0.0.1:65534.').waitFor();
	},
);
