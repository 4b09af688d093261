// Names and sentences of the Dou Dizhu tab. Names of plays and rules come from the service.

import { texts } from '../i18n.js';

const plays = ({ n }) => `${n} ${n === 1 ? 'play' : 'plays'}`;
const ranks = (names) => () => names.split(',');

export const t = texts({
  en: {
    ranks: ranks('three,four,five,six,seven,eight,nine,ten,jack,queen,king,ace,two,small joker,big joker'),
    card: '{rank} of {suit}', S: 'spades', H: 'hearts', C: 'clubs', D: 'diamonds',
    hand: ({ n }) => `Your hand: ${n} ${n === 1 ? 'card' : 'cards'}`, clear: 'Clear', deck: 'Cards of the deck', type: 'Type or paste a hand',
    typeHelp: '3 to 9, T or 10, J Q K A 2, B (small joker), R (big joker). Suits (♠3) never matter.', deal: 'Deal {n} cards', rules: 'Rules',
    answer: 'Fewest plays to go out', plays, noCards: 'Click cards, type a hand, or deal one.', out: (n) => `All cards are out in ${plays(n)}.`,
    shares: 'Of all hands of {n} cards, {fewer} need fewer plays, {same} as many, {more} more.',
    now: 'What to play now', lead: 'You lead', follow: 'Beat a play', beat: 'Play to beat',
    rub: 'Remove the last card', reading: 'Read as',
    costs: (n) => `What each of ${plays(n)} costs, in plays. Click one to play it.`,
    left: ({ n }) => (n ? `${n} left` : 'goes out'), bomb: 'splits a bomb', rocket: 'splits the rocket',
    undo: 'Undo',
  },
  zh: {
    ranks: ranks('三,四,五,六,七,八,九,十,J,Q,K,A,二,小王,大王'),
    card: '{suit}{rank}', S: '黑桃', H: '红桃', C: '梅花', D: '方块',
    hand: '手牌：{n} 张', clear: '清空', deck: '整副牌', type: '输入或粘贴手牌',
    typeHelp: '3 到 9、T 或 10、J Q K A 2，小王 B、大王 R。花色（♠3）无关。', deal: '发 {n} 张牌', rules: '规则',
    answer: '最少几手出完', plays: '{n} 手', noCards: '点选牌、输入手牌，或发一手牌。', out: '全部出完，共 {n} 手。',
    shares: '在所有 {n} 张牌的手牌中，{fewer} 需要更少手数，{same} 相同，{more} 更多。',
    now: '现在出什么', lead: '由你先出', follow: '压过一手牌', beat: '要压的牌',
    rub: '删去最后一张', reading: '牌型',
    costs: '{n} 种出法各自的损失（手数）。点击即可打出。',
    left: ({ n }) => (n ? `余 ${n} 手` : '出完'), bomb: '拆炸弹', rocket: '拆王炸',
    undo: '撤销',
  },
});
