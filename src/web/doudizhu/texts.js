import { texts } from '../kit.js';

export const t = texts({
	ranks: ['three,four,five,six,seven,eight,nine,ten,jack,queen,king,ace,two,small joker,big joker', '三,四,五,六,七,八,九,十,J,Q,K,A,二,小王,大王'],
	card: ['{rank} of {suit}', '{suit}{rank}'], S: ['spades', '黑桃'], H: ['hearts', '红桃'], C: ['clubs', '梅花'], D: ['diamonds', '方块'],
	hand: ['Your hand: {n} {n:card|cards}', '手牌：{n} 张'], clear: '清空',
	deck: ['Cards of the deck', '整副牌'], type: ['Type or paste a hand', '输入或粘贴手牌'],
	typeHelp: ['3 to 9, T or 10, J Q K A 2, B (small joker), R (big joker), or 三 to 十, 小王, 大王. Suits (♠3) never matter.', '3 到 9（或三到九）、T 或 10、J Q K A 2，小王 B、大王 R。花色（♠3）无关。'],
	deal: ['Deal {n} cards', '发 {n} 张牌'], rules: '规则', answer: ['Fewest plays to go out', '最少几手出完'], plays: ['{n} {n:play|plays}', '{n} 手'],
	noCards: ['Click cards, type a hand, or deal one.', '点选牌、输入手牌，或发一手牌。'],
	out: ['All cards are out in {n} {n:play|plays}.', '全部出完，共 {n} 手。'],
	shares: ['Of all hands of {n} cards, {fewer} need fewer plays, {same} as many, {more} more.', '在所有 {n} 张牌的手牌中，{fewer} 需要更少手数，{same} 相同，{more} 更多。'],
	now: ['What to play now', '现在出什么'], you_lead: '由你先出', beat_a_play: '压过一手牌',
	beat: ['Play to beat', '要压的牌'], rub: ['Remove the last card', '删去最后一张'], read_as: '牌型',
	costs: ['What each of {n} {n:play|plays} costs, in plays. Click one to play it.', '{n} 种出法各自的损失（手数）。点击即可打出。'],
	left: ['{n} left', '余 {n} 手'], last: ['goes out', '出完'], bomb: ['splits a bomb', '拆炸弹'],
	rocket: ['splits the rocket', '拆王炸'], undo: '撤销',
});
