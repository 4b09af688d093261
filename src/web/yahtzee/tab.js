// The Yahtzee tab: analyse a position, play a game, decide the position of the day.

import { tabOf } from '../kit.js';
import { Analyse } from './analyse.js';
import { Daily } from './daily.js';
import { Play } from './play.js';
import { t } from './texts.js';

export default tabOf('yahtzee', t, { analyse: new Analyse(), play: new Play(), daily: new Daily() });
