import { h, roam } from '../kit.js';

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

// Opens it with `columns`: `choices` are `{content, label?, wide?, chosen?, onpick}`.
export function openPicker(anchor, label, choices, columns = 6) {
	const menu = h('div.picker', {
		popover: 'auto',
		role: 'group',
		'aria-label': label,
		onkeydown: (event) => roam(event, STEPS),
	});
	menu.style.gridTemplateColumns = `repeat(${columns}, minmax(44px, 1fr))`;
	menu.append(
		...choices.map(({ content, label: name, wide, chosen, onpick }) =>
			h(
				wide ? 'button.wide' : 'button',
				{
					'aria-label': name,
					'aria-current': chosen && 'true',
					onclick: () => {
						menu.hidePopover();
						onpick();
					},
				},
				content,
			),
		),
	);
	menu.addEventListener('toggle', (event) => event.newState === 'closed' && menu.remove());
	document.body.append(menu);
	menu.showPopover();
	const at = anchor.getBoundingClientRect();
	const room = document.documentElement.clientWidth - menu.offsetWidth - 8;
	const below = at.bottom + 4 + menu.offsetHeight < innerHeight || at.top < menu.offsetHeight;
	menu.style.left = `${scrollX + Math.max(8, Math.min(at.left + (at.width - menu.offsetWidth) / 2, room))}px`;
	menu.style.top = `${scrollY + (below ? at.bottom + 4 : at.top - menu.offsetHeight - 4)}px`;
	(menu.querySelector('[aria-current]') ?? menu.firstElementChild).focus({ preventScroll: true });
}
