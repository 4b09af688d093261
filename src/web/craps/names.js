import { language, punctuated } from '../kit.js';
import { t } from './texts.js';

const CHINESE = Object.entries({
	'(.+)_(\\d+)for1': '$1，1 兑 $2',
	pass_line: '过线',
	crapless_pass: '过线，常胜花旗骰',
	come: '来注',
	'(dont_pass|dont_come)': '$1_bar12',
	'dont_pass_bar(.+)': '不过线，$1 平',
	'dont_come_bar(.+)': '不来注，$1 平',
	'odds_take_(.+)': '过线赔率注，$1',
	'odds_lay_(.+)': '不过线赔率注，$1',
	'put_(.+)': '补过线注，$1',
	'place_lose_(.+)': '定点输，$1',
	'place_(.+)': '定点赢，$1',
	'(.+)_upfront': '$1，预付佣金',
	'(.+)_on_win': '$1，赢时付佣金',
	'buy_(\\d+)': '买赢，$1',
	'lay_(\\d+)': '买输，$1',
	'field_(.)x_(.)x': '场注，2 点 $1 倍，12 点 $2 倍',
	'big_(.)': '大 $1',
	'hard_(.+)': '硬 $1',
	any_seven: '任意七',
	any_craps: '任意花旗',
	aces_2: '双一',
	ace_deuce_3: '一二',
	yo_11: '十一点',
	boxcars_12: '双六',
	horn: '号角',
	'horn_high_(.+)': '号角加 $1',
	world: '世界',
	c_and_e: '花旗与十一',
	hop_easy: '跳注，非对子',
	hop_hard: '跳注，对子',
	'small_(.+)_.+': '小，1 赔 $1',
	'tall_(.+)_.+': '大，1 赔 $1',
	'all_.+_(.+)': '全，1 赔 $1',
	'fire_(.+)': '火注 $1',
}).map(([id, name]) => [new RegExp(`^${id}(?=，|$)`), name]);

// Each pattern translates what is left of the id.
const chinese = (id) => CHINESE.reduce((name, [pattern, into]) => name.replace(pattern, into), id).replaceAll('_', '/');

export const betName = ({ id, name }) => (language() === 'zh' ? chinese(id) : name);

// What a win pays: in Chinese the stake comes first.
export const pays = (text) =>
	language() === 'en'
		? text
		: punctuated(text)
				.replace(/(\d+) to (\d+)/g, '$2 赔 $1')
				.replace(' on bet + commission', '（连佣金）')
				.replace('push', '平')
				.replace(' and ', '、')
				.replace('see outcomes', '见详情')
				.replaceAll(' points', ' 点');

export function outcomeName(label) {
	const [, n, after = 'on'] = /^(?:win_|point_)?(\d+)(?:_(made|missed|points))?$/.exec(label) ?? [];
	return n ? t(`n_${after}`, { n }) : t(label);
}
