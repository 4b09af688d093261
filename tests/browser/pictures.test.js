// The pictures of the README. `KIBITZ_PICTURES=docs npm test` puts them where it shows them.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROOT, savePicture, settle, setUp } from './support.js';

const kibitz = setUp();
const VIEWS = {
	yahtzee: ['?game=yahtzee', '.ranked'],
	craps: ['?game=craps&mode=simulation&seed=42', '.card-panel table'],
};
const { KIBITZ_PICTURES: folder = join('target', 'pictures') } = process.env;

for (const [name, [query, shown]] of Object.entries(VIEWS)) {
	kibitz.test(`a picture of ${name}`, { viewport: { width: 1080, height: 760 } }, async (page) => {
		await page.goto(kibitz.url + query);
		await page.locator(shown).first().waitFor();
		if (name === 'craps')
			await page
				.locator('#main')
				.getByText(/^Finished · /)
				.waitFor();
		await settle(page);
		await savePicture(page, name, { fullPage: false, folder: join(ROOT, folder) });
	});

	test(`a document shows the picture of ${name}`, () => {
		const shown = ['README.md', join('docs', `${name}.md`)].some((file) =>
			readFileSync(join(ROOT, file), 'utf8').includes(`${name}.png)`),
		);
		assert.ok(shown);
		const { size } = statSync(join(ROOT, 'docs', `${name}.png`));
		assert.ok(size > 10_000 && size < 200_000, `${size} bytes`);
	});
}
