// The page under fingers, and as it loads: what is touched is large enough, nothing is cut off, nothing moves.

import assert from 'node:assert/strict';

import { assertFits, settle, setUp } from './support.js';

const kibitz = setUp();
const LEAST = 44;
const VIEWS = [
	'game=yahtzee',
	'game=yahtzee&mode=play&seed=7&moves=6-14',
	'game=yahtzee&mode=daily&date=2026-01-02',
	'game=yahtzee&mode=review',
	'game=doudizhu&beat=44',
	...['odds', 'bets', 'round', 'bankroll', 'simulation'].map((mode) => `game=craps&mode=${mode}`),
];
const touched = ['usual', 'narrow'].flatMap((size, i) => [
	{ language: ['en', 'zh'][i], size },
	{ language: ['zh', 'en'][i], size },
]);

kibitz.testVariants(
	'what is touched is at least 44 px, and nothing is cut off',
	{ variants: touched, hasTouch: true, isMobile: true },
	async (page) => {
		for (const view of VIEWS) {
			await page.goto(`${kibitz.url}?${view}`);
			await settle(page);
			await assertFits(page);
			const small = await page.evaluate((least) => {
				const all = document.querySelectorAll('button, select, input, summary, a[href], .segments label');
				return [...all]
					.filter((element) => element.checkVisibility() && !element.matches('.unseen, .skip, p a'))
					.map((element) => [element, element.getBoundingClientRect()])
					.filter(([, { width, height }]) => width < least - 0.5 || height < least - 0.5)
					.map(([element, { width, height }]) => {
						const name = element.dataset.key ?? element.textContent.slice(0, 20);
						return `${element.localName} ${name}: ${width.toFixed(1)} × ${height.toFixed(1)}`;
					});
			}, LEAST);
			assert.deepEqual(small, [], view);
			const cut = await page.evaluate(() =>
				[...document.querySelectorAll('.segments, .segments span, .button, .quiet')]
					.filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
					.map((element) => element.textContent),
			);
			assert.deepEqual(cut, [], view);
		}
	},
);

kibitz.testVariants(
	'little moves while the page loads',
	{ variants: ['usual', 'desktop'].flatMap((size) => ['en', 'zh'].map((language) => ({ language, size }))) },
	async (page) => {
		await page.addInitScript(() => {
			globalThis.shift = 0;
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
			}).observe({ type: 'layout-shift', buffered: true });
		});
		for (const view of VIEWS) {
			await page.goto(`${kibitz.url}?${view}`);
			await settle(page);
			const shift = await page.evaluate(() => globalThis.shift);
			assert.ok(shift <= 0.1, `${view}: ${shift}`);
		}
	},
);
