const OF_THE_SHELL = ['lang', 'theme', 'embed'];

// A query with its commas, colons and brackets as they are.
export const plain = (query) => query.toString().replace(/%(2C|3A|5B|5D|7B|7D)/g, decodeURIComponent);

const last = new Map();

// The query of a game with a state (an object, or URLSearchParams) without what is empty.
export function hrefOf(game, state = last.get(game) ?? {}) {
	const query = new URLSearchParams({ game });
	const entries = state instanceof URLSearchParams ? state : Object.entries(state);
	for (const [key, value] of entries) {
		if (key !== 'game' && !OF_THE_SHELL.includes(key) && value != null && value !== '') query.append(key, value);
	}
	const now = new URLSearchParams(location.search);
	for (const key of OF_THE_SHELL) if (now.has(key)) query.set(key, now.get(key));
	return `?${plain(query)}`;
}

// The whole address of a link, else of what is shown, without the shell's part.
export function linkTo(href = location.search) {
	const query = new URLSearchParams(href);
	for (const key of OF_THE_SHELL) query.delete(key);
	return new URL(`?${plain(query)}`, location.href).href;
}

// Writes a game's state to the address, or keeps it for later.
export function remember(game, state) {
	last.set(game, state);
	if (shownGame() !== game) return;
	const href = hrefOf(game, state);
	if (href !== location.search) history.replaceState(null, '', href);
}

export const shownGame = () => new URLSearchParams(location.search).get('game');

export function follow(href) {
	history.pushState(null, '', href);
	dispatchEvent(new PopStateEvent('popstate'));
}
