import { tabOf } from '../kit.js';
import { Analyse } from './analyse.js';
import { Daily } from './daily.js';
import { Play } from './play.js';
import { Review } from './review.js';
import { t } from './texts.js';

export default tabOf('yahtzee', t, {
	analyse: new Analyse(),
	play: new Play(),
	review: new Review(),
	daily: new Daily(),
});
