import { h, redraw, storage } from './dom.js';
import { LANGUAGES, language, setLanguage, texts } from './i18n.js';
import { follow, hrefOf, shownGame } from './url.js';

const GAMES = ['yahtzee', 'doudizhu', 'craps'];

const t = texts({
	yahtzee: '快艇骰子',
	doudizhu: ['Dou Dizhu', '斗地主'],
	craps: '花旗骰',
	games: '游戏',
	light_theme: '浅色主题',
	dark_theme: '深色主题',
	skip: ['Skip to the content', '跳到正文'],
	reference: '接口文档',
	tagline: [
		'The best decision in Yahtzee, Dou Dizhu and craps, and what every other one costs.',
		'快艇骰子、斗地主、花旗骰：最佳的决定，以及其他决定的代价。',
	],
	about: ['Exact answers, computed by this server.', '答案精确，由本服务器计算。'],
	failed: ['This part could not be loaded. Reload to try again.', '这一部分没有载入。请刷新重试。'],
});

const byId = (id) => document.getElementById(id);
const root = document.documentElement;
const main = byId('main');
const heading = h('h1.unseen');
const tagline = h('p.tagline');
const tabs = new Map();

const stylesheet = (href) =>
	new Promise((resolve, reject) => {
		document.head.append(h('link', { rel: 'stylesheet', href, onload: resolve, onerror: reject }));
	});

async function load(game) {
	const [module] = await Promise.all([
		import(`./${game}/tab.js`),
		stylesheet(new URL(`./${game}/tab.css`, import.meta.url)),
	]);
	customElements.define(`${game}-tab`, module.default);
	return document.createElement(`${game}-tab`);
}

function asked() {
	const game = shownGame();
	return GAMES.includes(game) ? game : GAMES[0];
}

async function show() {
	const query = new URLSearchParams(location.search);
	const game = asked();
	if (shownGame() !== game) {
		query.set('game', game);
		history.replaceState(null, '', hrefOf(game, query));
	}
	drawShell();
	if (!tabs.has(game)) tabs.set(game, load(game));
	try {
		const tab = await tabs.get(game);
		if (asked() !== game) return;
		// What is there already keeps its focus.
		if (tab.parentNode !== main) main.replaceChildren(heading, tagline, tab);
		tab.restore(query);
	} catch (error) {
		tabs.delete(game);
		main.replaceChildren(h('p.note', { role: 'alert' }, t('failed')));
		throw error;
	}
}

const isDark = () => {
	const chosen = root.dataset.theme;
	return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

function changeTheme() {
	const theme = isDark() ? 'light' : 'dark';
	root.dataset.theme = theme;
	storage.set('theme', theme);
	drawShell();
}

async function changeLanguage(name) {
	setLanguage(name);
	const url = new URL(location.href);
	if (url.searchParams.has('lang')) {
		url.searchParams.set('lang', name);
		history.replaceState(null, '', url);
	}
	drawShell();
	const tab = await tabs.get(asked())?.catch(() => null);
	if (tab) tab.render();
	else show();
}

function drawShell() {
	const game = asked();
	const other = language() === 'en' ? 'zh' : 'en';
	const theme = t(isDark() ? 'light_theme' : 'dark_theme');
	root.lang = language() === 'zh' ? 'zh-Hans' : 'en';
	heading.textContent = t(game);
	tagline.textContent = t('tagline');
	document.title = `${t(game)} · Kibitz`;
	byId('skip').textContent = t('skip');
	const nav = byId('games');
	nav.ariaLabel = t('games');
	redraw(
		nav,
		GAMES.map((name) =>
			h(
				'a',
				{
					// The shown game starts again, another one as it was left.
					href: name === game ? hrefOf(name, {}) : hrefOf(name),
					key: name,
					'aria-current': name === game && 'page',
				},
				t(name),
			),
		),
	);
	redraw(
		byId('switches'),
		h('button.quiet', { key: 'language', lang: other, onclick: () => changeLanguage(other) }, LANGUAGES[other]),
		h('button.quiet.theme', { key: 'theme', 'aria-label': theme, title: theme, onclick: changeTheme }),
	);
	redraw(
		byId('foot'),
		h('span', t('about')),
		h('a', { href: './docs' }, t('reference')),
		h('a', { href: './openapi.yaml' }, 'OpenAPI'),
	);
}

// Links that begin with `?` lead to other states of the page.
addEventListener('click', (event) => {
	const link = event.target.closest('a[href^="?"]');
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	follow(link.getAttribute('href'));
	scrollTo(0, 0);
	// A link within a view is gone with it.
	setTimeout(() => document.activeElement === document.body && main.focus({ preventScroll: true }), 300);
});
// A frame that shows the answer alone tells its page how high it is.
if (root.classList.contains('answer-only') && parent !== window)
	new ResizeObserver(() => {
		parent.postMessage({ type: 'kibitz-height', height: Math.ceil(main.getBoundingClientRect().height) }, '*');
	}).observe(main);
addEventListener('popstate', show);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawShell);
show();
