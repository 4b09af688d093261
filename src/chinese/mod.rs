//! The texts of the games in Chinese. The games themselves speak English alone.

mod craps;
mod doudizhu;
mod endgame;
mod yahtzee;
mod yahtzee_advice;

pub use doudizhu::explain_hints;

/// A message whose English is its `Display`, or a sentence whose English is its `in_english`.
pub trait InChinese {
    /// The same in Chinese.
    fn in_chinese(&self) -> String;
}

/// A term with a name of its own in Chinese.
pub trait ChineseName {
    /// What players call it in Chinese.
    fn in_chinese(self) -> &'static str;
}
