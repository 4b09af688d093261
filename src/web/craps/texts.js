// Names and sentences of the craps tab.

import { texts } from '../kit.js';

export const t = texts({
  mode: ['What to do', '模式'], bets: '赌注', round: ['A round', '一局'], bankroll: '本金', simulation: '模拟',
  all: ['All bets', '全部赌注'], line: ['Line bets', '过线类'], variant: ['Crapless craps', '无花旗玩法'], odds: '赔率注',
  place: ['Place bets', '定点注'], buy: ['Buy bets', '买赢注'], lay: ['Lay bets', '买输注'], field: '场注',
  big: ['Big 6 and 8', '大六与大八'], hardway: ['Hardways', '硬点'], prop: ['Propositions', '单掷注'],
  prop_for_one: ['Propositions, for 1', '单掷注（兑）'], hop: ['Hops', '跳注'], bonus: ['All, small, tall', '全、小、大'],
  fire: ['Fire bets', '火注'], pays: '赔付', chance: ['Wins, %', '赢率 %'], edge: ['House edge, %', '庄家优势 %'], rolls: '掷数',
  made: ['per bet made', '每注'], resolved: ['per bet resolved', '每个决出的注'], roll: ['per roll', '每掷'],
  conventions: ['A push is a bet made, but not a bet resolved.', '平局计入“每注”，不计入“每个决出的注”。'],
  deviation: ['Standard deviation, units', '标准差（单位）'], withOdds: ['With the odds', '连同赔率注'],
  onAction: ['Edge on all money', '占全部投注'], action: ['Money put up, units', '平均投注（单位）'],
  outcomes: ['Outcome, net units, chance', '结果、净得（单位）、概率'], none: ['none', '无'], win: ['win', '赢'], push: ['push', '平'],
  break_even: ['even', '持平'], lose: ['lose', '输'], natural: ['natural', '首掷 7、11'], craps: ['craps', '首掷 2、3、12'],
  bar_push: ['barred', '平'], n_on: ['win on {n}', '{n} 点赢'], n_made: ['point {n} made', '掷回 {n} 点'],
  n_missed: ['seven before {n}', '{n} 点前出 7'], n_points: ['points made: {n}', '掷回 {n} 个点'], on: ['ON', '开'], off: ['OFF', '关'],
  come_out: ['Come-out roll', '首掷'], point_set: ['The point is {point}', '点数为 {point}'], no_decision: '未分胜负',
  point_made: ['Point made: won', '掷回点数：赢'], seven_out: ['Seven out: lost', '掷出 7：输'], cast: ['Roll', '掷骰'],
  again: ['New round', '开新的一局'], dice: ['Type dice', '输入两枚骰子'], seed: '种子', bet: '赌注',
  units: ['{name}, units', '{name}（单位）'], target: '目标', max_rounds: ['Rounds at most', '最多注数'], stake: '每注',
  add: ['Add another bet', '加下一注'], remove: '去掉', when_short: ['Short of full odds', '不够赔率注时'], stop: ['stop', '停止'],
  partial: ['less odds', '少下'], no_odds: ['no odds', '不下'], answer: ['Exact answer', '精确答案'],
  success: ['Target reached', '达到目标'], still_playing: '仍在继续', ruin: '破产', expected_rounds: ['Mean rounds', '平均注数'],
  mean_final: ['Mean final, units', '平均终值（单位）'], final: ['Final bankroll', '终值'], decisions: '决出次数', sessions: '场数',
  run: '运行', newSeed: ['New seed', '换种子'], speed: [' · {n} rolls per second', ' · 每秒 {n} 掷'],
 
  bands: ['Dashed: exact. Dark: 95% interval of one moment. Light: 95% however often you look.', '虚线：精确值。深色：某一时刻的 95% 区间。浅色：看多少次都成立。'],
  mean_net: ['Mean net of a decision, units', '每次平均净得（单位）'], interval: ['95%: {low} to {high}', '95%：{low} 至 {high}'],
  against: [' · exact {exact} · {z} standard errors off', ' · 精确 {exact} · 差 {z} 个标准误'], outcome: '结果',
  observed: ['Seen, %', '观察 %'], exact: ['Exact, %', '精确 %'],
  chi: ['χ² = {statistic}, degrees of freedom {freedom}: {share} of honest simulations are at least this far off. ', 'χ² = {statistic}，自由度 {freedom}。公平的模拟有 {share} 至少偏离这么多。'],
  fitGood: ['Nothing unusual.', '没有异常。'], fitBad: ['Very rare.', '极罕见。'],
});
