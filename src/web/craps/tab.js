import { tabOf } from '../kit.js';
import { Bankroll } from './bankroll.js';
import { Bets } from './bets.js';
import { Round } from './round.js';
import { Simulation } from './simulation.js';
import { t } from './texts.js';

export default tabOf('craps', t, {
	bets: new Bets(),
	round: new Round(),
	bankroll: new Bankroll(),
	simulation: new Simulation(),
});
