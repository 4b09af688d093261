// The state of the page is its address: `?game=yahtzee&dice=1,3,3,4,6`. What belongs to the shell (`lang`, `theme`, `embed`) stays.

const OF_THE_SHELL = ['lang', 'theme', 'embed'];

/** A query with the commas and colons that it may hold as they are. */
export const plain = (query) => query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');

const last = new Map();

/** The query that leads to a game with a state (an object, or URLSearchParams; empty values are left out). */
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

/** The whole address of a state, without what belongs to the shell: for links to copy. */
export function linkTo(game, state) {
  const query = new URLSearchParams(hrefOf(game, state));
  for (const key of OF_THE_SHELL) query.delete(key);
  return new URL(`?${plain(query)}`, location.href).href;
}

/** Writes a game's state to the address, or keeps it for when the game is shown again. */
export function remember(game, state) {
  last.set(game, state);
  if (shownGame() !== game) return;
  const href = hrefOf(game, state);
  if (href !== location.search) history.replaceState(null, '', href);
}

/** The game that the address names; null where it names none. */
export const shownGame = () => new URLSearchParams(location.search).get('game');

/** Follows a link of the page without loading it again. */
export function follow(href) {
  history.pushState(null, '', href);
  dispatchEvent(new PopStateEvent('popstate'));
}
