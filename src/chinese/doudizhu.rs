//! What can be wrong with a question about Dou Dizhu, the names of kinds and rules, and explanations, in Chinese.

use super::{ChineseName, InChinese};
use crate::doudizhu::{
    Contrast, Explanation, HAND_CARDS, HandFault, HintFault, Hints, KITTIES, Kind, Kitties, KittyFault, Play,
    Preset, Rank, ReadingFault, ShapeFault, Switch, Trap, Unreadable, WildPlan, is_plain,
};

impl InChinese for HandFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::Unreadable { text, reason, .. } => format!("“{text}”{}", reason.in_chinese()),
            Self::FifthOfRank { rank, number, .. } => {
                format!("点数 {rank} 共有 {number} 张；一副牌只有 4 张")
            }
            Self::SecondJoker { rank, text, .. } => {
                let name = if *rank == Rank::RedJoker { "大王" } else { "小王" };
                format!("“{text}”是第二张{name}；一副牌只有一张")
            }
            Self::SameCard { text, .. } => format!("{text} 这张牌出现了两次；一副牌只有一张"),
            Self::Empty => "手牌为空；请给出 1 到 54 张牌".to_owned(),
            Self::TooMany { number } => format!("共 {number} 张牌；一副牌只有 54 张"),
        }
    }
}

impl InChinese for KittyFault {
    fn in_chinese(&self) -> String {
        format!("共 {} 张牌；拿底牌之前应为 {HAND_CARDS} 张", self.cards)
    }
}

impl InChinese for Kitties {
    fn in_chinese(&self) -> String {
        let [fewer, same, more] = self.compared();
        format!(
            "这手牌最少 {} 手出完，拿底牌后平均 {:.2} 手：{KITTIES} 种底牌中，{fewer} 种手数减少，{same} 种不变，{more} 种增加。\
             未考虑对手的牌。",
            self.min_plays,
            self.mean()
        )
    }
}

impl ChineseName for Unreadable {
    fn in_chinese(self) -> &'static str {
        match self {
            Self::NotACard => {
                "不是一张牌；请写点数（3 到 9、T 或 10、J Q K A 2，或三到十、二）\
                 或王（小王：B X 小 小王 小鬼；大王：R D 大 大王 大鬼）"
            }
            Self::AmbiguousJoker => {
                "有歧义；小王请写“小王”或 B，大王请写“大王”或 R，王后面接 J 时请用空格隔开（B J）"
            }
            Self::Suit => "带有花色；字符串里只写点数（紧挨点数的 D 视为方块，大王请写 R）",
        }
    }
}

impl InChinese for ShapeFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::Empty => "牌型为空；请至少给出一张牌".to_owned(),
            Self::TooManyRanks { ranks } => {
                format!("共有 {ranks} 种点数；一副牌有 13 种，没有王炸时一张王可另算一个单张")
            }
            Self::RulesHaveRuns => {
                "此规则有顺子，仅凭牌型数量不够；请给出手牌，或使用 simple 规则".to_owned()
            }
        }
    }
}

impl InChinese for ReadingFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::NoPlay { cards } => format!("按此规则，{cards} 不是合法的牌型"),
            Self::Ambiguous { cards, readings } => {
                format!("{cards} 有多种读法：{}；请指明是哪一种", list(readings))
            }
            Self::OtherKind { cards, kind, readings } => {
                format!("{cards} 不是{}，而是{}", kind.in_chinese(), list(readings))
            }
            Self::OtherRank { cards, rank, readings } => {
                format!("{cards} 没有主牌点数为 {rank} 的读法，只能是{}", list(readings))
            }
        }
    }
}

impl InChinese for HintFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::TooManyCards { cards } => format!("共 {cards} 张牌；出牌提示最多 20 张"),
        }
    }
}

impl ChineseName for Kind {
    fn in_chinese(self) -> &'static str {
        match self {
            Self::Single => "单张",
            Self::Pair => "对子",
            Self::Triple => "三张",
            Self::Bomb => "炸弹",
            Self::Rocket => "王炸",
            Self::TripleSingle => "三带一",
            Self::TriplePair => "三带二",
            Self::Straight => "顺子",
            Self::PairStraight => "连对",
            Self::Plane => "飞机",
            Self::PlaneSingles => "飞机带单翅",
            Self::PlanePairs => "飞机带双翅",
            Self::FourTwoSingles => "四带两单",
            Self::FourTwoPairs => "四带两对",
        }
    }
}

impl ChineseName for Preset {
    fn in_chinese(self) -> &'static str {
        match self {
            Self::Simple => "简化规则：没有顺子、连对、飞机和四带二",
            Self::Noip => "NOIP 2015 竞赛规则：飞机不能带翅膀",
            Self::Standard => "标准网络规则",
            Self::Pagat => "Pagat 规则：所带的牌点数各不相同",
            Self::Loose => "宽松规则：翅膀和带牌几乎不限",
            Self::Douzero => "DouZero 的出牌规则",
        }
    }
}

impl ChineseName for Switch {
    fn in_chinese(self) -> &'static str {
        match self {
            Self::Runs => "顺子（五张起）、连对（三对起）、飞机（两个三张起），只限 3 到 A",
            Self::PlaneWings => "飞机可带同数量的单张或对子",
            Self::EqualSingleWings => "单张翅膀可以同点（33344455）",
            Self::EqualPairWings => "对子翅膀可以是四张同点（3334445555）",
            Self::BothJokersAsWings => "飞机可同时带大小王（333444BR）",
            Self::FourEqualWings => "单张翅膀可以是四张同点（3334445556667777）",
            Self::LengtheningWings => "翅膀可以是与飞机相连的三张（333444555666 当作三连带翅膀）",
            Self::FourWithTwo => "四带两单或四带两对",
            Self::FourWithEqualSingles => "四带两张同点的单牌（333355）",
            Self::FourWithBothJokers => "四带大小王（3333BR）",
            Self::FourWithEqualPairs => "四带两对可以同点（AAAA2222）",
        }
    }
}

/// Plays with their kinds: "顺子 34567、单张 3".
fn list(plays: &[Play]) -> String {
    let all: Vec<String> = plays.iter().map(|play| format!("{} {play}", play.kind().in_chinese())).collect();
    all.join("、")
}

/// One sentence on a plan: what is played, and which tempting line it avoids.
impl InChinese for Explanation {
    fn in_chinese(&self) -> String {
        let parts = self.parts(chinese_play, chinese_number);
        let sentence = match (self.plan.plays(), &parts[..]) {
            ([], _) => return "没有牌可出。".to_owned(),
            ([play], _) => format!("一手就能出完：{}", chinese_play(*play)),
            ([play, ..], [_]) if is_plain(*play) => {
                format!("最少 {} 手出完，全是{}", self.number(), play.kind().in_chinese())
            }
            _ => format!("最少 {} 手出完：{}", self.number(), parts.join("、")),
        };
        match self.contrast() {
            Contrast::None => format!("{sentence}。"),
            Contrast::Runs(plays) => format!("{sentence}；不用顺子、连对和飞机则要 {plays} 手。"),
            Contrast::Trap(Trap { first, plays }) => {
                let instead = match first.kind() {
                    Kind::Bomb => format!("若把 {first} 当炸弹打"),
                    Kind::Rocket => "若把大小王当王炸打".to_owned(),
                    kind => format!("若先出最长的{} {first}", kind.in_chinese()),
                };
                format!("{sentence}；{instead}，则要 {plays} 手。")
            }
        }
    }
}

impl InChinese for WildPlan {
    fn in_chinese(&self) -> String {
        let sentence = Explanation::of_plan(self.plan()).in_chinese();
        let ranks: Vec<_> = self.stands_for().map(Rank::name).collect();
        if ranks.is_empty() {
            return sentence;
        }
        format!("{}；癞子当作 {}。", sentence.trim_end_matches('。'), ranks.join("、"))
    }
}

/// One sentence on the best play of some hints. `beat` is the play on the table, if there is one.
#[must_use]
pub fn explain_hints(hints: &Hints, beat: Option<Play>) -> String {
    let Some(best) = hints.plays.first() else {
        return match beat {
            Some(beat) => format!("这手牌压不过{}，只能不出。", chinese_play(beat)),
            None => "没有牌可出。".to_owned(),
        };
    };
    let mut sentence = format!("出{}：", chinese_play(best.play));
    sentence += &match best.min_plays_left {
        0 => "牌就出完了".to_owned(),
        left => format!("余牌最少 {left} 手"),
    };
    if hints.as_good() > 0 {
        sentence += &format!("，另有 {} 种出法同样好", hints.as_good());
    }
    if best.loss > 0 {
        sentence += &format!("，比自由出牌多 {} 手", best.loss);
    }
    if let Some(next) = hints.next_best() {
        sentence += &format!("；若出{}，则余 {} 手", chinese_play(next.play), next.min_plays_left);
    }
    sentence + "。"
}

/// "顺子 34567", "单张 3", "大王".
pub(super) fn chinese_play(play: Play) -> String {
    match (play.kind(), play.rank()) {
        (Kind::Rocket, _) => "王炸".to_owned(),
        (Kind::Single, Rank::BlackJoker) => "小王".to_owned(),
        (Kind::Single, Rank::RedJoker) => "大王".to_owned(),
        (kind, _) => format!("{} {play}", kind.in_chinese()),
    }
}

fn chinese_number(kind: Kind, number: usize) -> String {
    if kind == Kind::Pair { format!("对子 {number} 个") } else { format!("单牌 {number} 张") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doudizhu::{Hand, Solver};

    #[test]
    fn plans_read_well() {
        for (preset, hand, sentence) in [
            (Preset::Standard, "D", "一手就能出完：大王。"),
            (Preset::Standard, "468QK", "最少 5 手出完，全是单张。"),
            (
                Preset::Standard,
                "333666BR",
                "最少 2 手出完：三带一 333+B、三带一 666+R；若把大小王当王炸打，则要 3 手。",
            ),
            (Preset::Noip, "AAAA2222", "一手就能出完：四带两对 AAAA+2222；若把 AAAA 当炸弹打，则要 2 手。"),
            (
                Preset::Standard,
                "56789QAA22",
                "最少 4 手出完：顺子 56789、对子 2 个、单张 Q；不用顺子、连对和飞机则要 8 手。",
            ),
            (Preset::Simple, "34567", "最少 5 手出完，全是单张。"),
        ] {
            let solver = Solver::new(preset.rules());
            let cards = Hand::from_text(hand).unwrap().counts();
            let explanation = Explanation::new(&solver, cards, solver.solve(cards));
            assert_eq!(explanation.in_chinese(), sentence, "{hand}");
        }
    }

    #[test]
    fn every_fault_of_a_hand_is_in_chinese() {
        let faults = [
            Hand::from_tokens(&["3", "3", "3", "3", "3", "B", "B", "S4", "S4", "z", "BJ"]),
            Hand::from_text(""),
            Hand::from_text(&"3".repeat(55)),
            Hand::from_text("S"),
        ];
        for fault in faults.into_iter().flat_map(Result::unwrap_err) {
            assert!(!fault.in_chinese().is_ascii(), "{fault}");
        }
        let faults = Hand::from_text("33333343").unwrap_err();
        assert_eq!(faults[0].in_chinese(), "点数 3 共有 7 张；一副牌只有 4 张");
    }
}
