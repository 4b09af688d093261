import { h } from '../kit.js';
import { die, smallDice } from './dice.js';
import { t } from './texts.js';

// Buttons that enter one or two dice of the same face: `onpick(faces)`; `room` is how many dice are still to come.
export const pad = ({ label, room, onpick }) =>
	h(
		'div.pad',
		{ role: 'group', 'aria-label': label },
		[1, 2].flatMap((count) =>
			[1, 2, 3, 4, 5, 6].map((face) => {
				const faces = Array(count).fill(face);
				const idle = count > room;
				return h(
					'button',
					{
						key: `pad-${faces.join('')}`,
						'aria-label': count === 1 ? String(face) : t('twice', { face }),
						'aria-disabled': idle && 'true',
						onclick: () => idle || onpick(faces),
					},
					count === 1 ? die(face) : smallDice(faces),
				);
			}),
		),
	);
