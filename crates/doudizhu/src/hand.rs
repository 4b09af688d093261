//! A hand as a caller wrote it: what its cards are, and which token stands for which card.

use super::card::{Card, PICTURE, Rank, Suit, fold, is_suit_only};
use super::counts::Counts;
use super::hand_fault::{HandFault, Unreadable};
use super::play::Play;
use super::wild::WildPlan;
use serde::Serialize;
use std::fmt;

/// Up to 54 cards of one deck, each with the token that the caller used for it. What is read has at least one card.
///
/// ```
/// use kibitz_doudizhu::{Hand, HandFault};
/// let hand = Hand::from_text("10 J、q，K A 小王 大").unwrap();
/// assert_eq!(hand.to_string(), "TJQKABR");
///
/// let hand = Hand::from_tokens(&["S3", "3♥", "10", "D"]).unwrap();
/// assert_eq!(hand.to_string(), "33TR");
///
/// let faults = Hand::from_tokens(&["S3", "1", "S3"]).unwrap_err();
/// assert_eq!(faults.iter().map(HandFault::at).collect::<Vec<_>>(), [Some(1), Some(2)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    counts: Counts,
    cards: Vec<(Rank, Token)>,
}

/// A card in the caller's own notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Token {
    /// As written, in a string or as an element of an array.
    Text(String),
    /// The contest's `[rank, suit]`.
    Numbers([i64; 2]),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Numbers([rank, suit]) => write!(f, "[{rank},{suit}]"),
        }
    }
}

impl Hand {
    /// No card.
    pub const EMPTY: Self = Self { counts: Counts::EMPTY, cards: Vec::new() };

    /// The cards of some rank, and the others.
    #[must_use]
    pub fn split(self, of: Rank) -> (Self, Self) {
        let (chosen, others): (Vec<_>, Vec<_>) = self.cards.into_iter().partition(|(rank, _)| *rank == of);
        let hand =
            |cards: Vec<(Rank, Token)>| Self { counts: cards.iter().map(|card| card.0).collect(), cards };
        (hand(chosen), hand(others))
    }

    /// Reads a string of ranks: `3`..`9`, `T` or `10`, `J Q K A 2`, `三`..`九 十 二`, `B X 小 小王 小鬼` for the small
    /// joker and `R D 大 大王 大鬼` for the big one, in any case and width; white space and `, ， 、` are skipped.
    ///
    /// `BJ` and `RJ` are rejected, as they may be a joker or a joker and a jack, and so are suits. A `D` beside a rank
    /// is a suit too, wherever it is in its word, unless a joker is on its other side: `D34`, `3D4` and `34D` are
    /// rejected, `XD34` and `34 D` are not.
    ///
    /// # Errors
    /// Every fault, each with the position of its character, counted from 0.
    pub fn from_text(text: &str) -> Result<Self, Vec<HandFault>> {
        let characters: Vec<char> = text.chars().collect();
        let mut reader = Reader::default();
        let mut at = 0;
        for word in characters.split(|&c| c.is_whitespace() || ",，、".contains(c)) {
            let mut from = 0;
            while from < word.len() {
                let (length, card) = next_card(word, from);
                let token: String = word[from..from + length].iter().collect();
                reader.add(at, card, Token::Text(token));
                at += length;
                from += length;
            }
            // The separator.
            at += 1;
        }
        reader.finish()
    }

    /// Reads an array of tokens, a card each, as [`Card::read`] does.
    ///
    /// # Errors
    /// Every fault, each with the index of its element.
    pub fn from_tokens<T: AsRef<str>>(tokens: &[T]) -> Result<Self, Vec<HandFault>> {
        let mut reader = Reader::default();
        for (at, token) in tokens.iter().map(AsRef::as_ref).enumerate() {
            let card =
                Card::read(token).ok_or_else(|| match &*token.trim().chars().map(fold).collect::<String>() {
                    "BJ" | "王" | "鬼" => Unreadable::AmbiguousJoker,
                    _ => Unreadable::NotACard,
                });
            reader.add(at, card, Token::Text(token.to_owned()));
        }
        reader.finish()
    }

    /// Reads the numbers of NOIP 2015: rank 1 is the ace, 2 to 13 follow, with suit 1 to 4; `[0, 1]` is the small and
    /// `[0, 2]` the big joker.
    ///
    /// # Errors
    /// Every fault, each with the index of its element.
    pub fn from_noip_cards(cards: &[[i64; 2]]) -> Result<Self, Vec<HandFault>> {
        let mut reader = Reader::default();
        for (at, &numbers) in cards.iter().enumerate() {
            reader.add(at, noip_card(numbers).ok_or(Unreadable::NotACard), Token::Numbers(numbers));
        }
        reader.finish()
    }

    /// How many cards of each rank.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The cards in the caller's order, each with its token.
    pub fn cards(&self) -> &[(Rank, Token)] {
        &self.cards
    }

    /// The tokens of some plays of this hand and some wild cards, whose tokens are `wild`. Of each play comes first what is
    /// not wild.
    pub fn deal_with<'a>(&'a self, wild: &'a [Token], plan: &WildPlan) -> Vec<Vec<&'a Token>> {
        let mut of_rank = Rank::ALL.map(|rank| self.cards.iter().filter(move |card| card.0 == rank));
        let mut wild = wild.iter();
        let deal = |(play, stands_for): (Play, Counts)| {
            let mut left = stands_for;
            let own = play.ranks().filter(|rank| match left.without([*rank].into_iter().collect()) {
                Some(fewer) => {
                    left = fewer;
                    false
                }
                None => true,
            });
            let own: Vec<_> =
                own.filter_map(|rank| of_rank[rank.index()].next().map(|card| &card.1)).collect();
            own.into_iter().chain(wild.by_ref().take(stands_for.total().into())).collect()
        };
        plan.plays().map(deal).collect()
    }

    /// The tokens of some plays of this hand, body first, then kickers. Each token is used once: of equal ranks the
    /// caller's first ones go to the first play. Cards that the hand does not hold get no token.
    ///
    /// ```
    /// # use kibitz_doudizhu::{Hand, Preset, Solver};
    /// let hand = Hand::from_tokens(&["D4", "H3", "S3", "C3"]).unwrap();
    /// let plan = Solver::new(Preset::Standard.rules()).solve(hand.counts());
    /// let tokens: Vec<String> = hand.deal(plan.plays())[0].iter().map(|token| token.to_string()).collect();
    /// assert_eq!(tokens, ["H3", "S3", "C3", "D4"]);
    /// ```
    pub fn deal(&self, plays: &[Play]) -> Vec<Vec<&Token>> {
        let mut of_rank = Rank::ALL.map(|rank| self.cards.iter().filter(move |card| card.0 == rank));
        let mut next = |rank: Rank| of_rank[rank.index()].next().map(|card| &card.1);
        plays.iter().map(|play| play.ranks().filter_map(&mut next).collect()).collect()
    }
}

/// Prints the canonical form: `3334445566789TJQKA2BR`.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counts.fmt(f)
    }
}

/// The card that begins at `from` in characters without separators, and how many characters it takes.
fn next_card(word: &[char], from: usize) -> (usize, Result<Card, Unreadable>) {
    let characters = &word[from..];
    let read = |length: usize| Card::read(&characters[..length].iter().collect::<String>());
    // A suit, a rank of two characters and U+FE0F are the longest word that is a single card.
    if from == 0 && characters.len() <= 4 && read(characters.len()).is_some_and(|card| card.suit.is_some()) {
        return (characters.len(), Err(Unreadable::Suit));
    }
    let second = characters.get(1).copied().map(fold);
    match (fold(characters[0]), second) {
        ('1', Some('0')) | ('小' | '大', Some('王' | '鬼')) => (2, read(2).ok_or(Unreadable::NotACard)),
        ('B' | 'R', Some('J')) => (2, Err(Unreadable::AmbiguousJoker)),
        ('王' | '鬼', _) => (1, Err(Unreadable::AmbiguousJoker)),
        ('D', second) if word.len() > 1 => {
            let is_joker = |neighbour: Option<char>| neighbour.is_some_and(|c| "BXRD小大王鬼".contains(c));
            let before = from.checked_sub(1).map(|at| fold(word[at]));
            (
                1,
                if is_joker(before) || is_joker(second) {
                    read(1).ok_or(Unreadable::NotACard)
                } else {
                    Err(Unreadable::Suit)
                },
            )
        }
        (first, second) if is_suit_only(first) => {
            (if second == Some(PICTURE) { 2 } else { 1 }, Err(Unreadable::Suit))
        }
        _ => (1, read(1).ok_or(Unreadable::NotACard)),
    }
}

fn noip_card([rank, suit]: [i64; 2]) -> Option<Card> {
    let plain = |rank| Some(Card { rank, suit: None });
    match (rank, suit) {
        (0, 1) => plain(Rank::BlackJoker),
        (0, 2) => plain(Rank::RedJoker),
        (1..=13, 1..=4) => {
            // 1 and 2 rank above the king: 3 is index 0, ..., 13 (the king) 10, 1 (the ace) 11, 2 is 12.
            let rank = Rank::ALL[(rank + 10).rem_euclid(13) as usize];
            Some(Card { rank, suit: Some(Suit::ALL[suit as usize - 1]) })
        }
        _ => None,
    }
}

/// The deck's size, and how many faults of single cards are listed at most, lest a small request get a huge answer.
const DECK: usize = 54;

/// Gathers cards and everything that is wrong with them.
#[derive(Default)]
struct Reader {
    hand: Vec<(Rank, Token)>,
    counts: Counts,
    /// The suited cards met, each with where it was.
    suited: Vec<(Card, usize)>,
    faults: Vec<HandFault>,
    number: usize,
}

impl Reader {
    fn add(&mut self, at: usize, card: Result<Card, Unreadable>, token: Token) {
        self.number += 1;
        match self.check(at, card, &token) {
            Ok(rank) => self.hand.push((rank, token)),
            Err(fault) => self.note(fault),
        }
    }

    fn check(&mut self, at: usize, card: Result<Card, Unreadable>, token: &Token) -> Result<Rank, HandFault> {
        // A token may be as long as a request; a card never is.
        let text = || token.to_string().chars().take(20).collect();
        let card = card.map_err(|reason| HandFault::Unreadable { at, text: text(), reason })?;
        let rank = card.rank;
        if card.suit.is_some() {
            if let Some(&(_, first)) = self.suited.iter().find(|(other, _)| *other == card) {
                return Err(HandFault::SameCard { at, first, text: token.to_string() });
            }
            self.suited.push((card, at));
        }
        self.counts = match self.counts.with(rank, 1) {
            Some(counts) => counts,
            None if rank.is_joker() => return Err(HandFault::SecondJoker { at, rank, text: text() }),
            None => return Err(HandFault::FifthOfRank { at, rank, number: 5 }),
        };
        Ok(rank)
    }

    /// Lists a fault, or counts it where the same is said of its rank already.
    fn note(&mut self, fault: HandFault) {
        for noted in &mut self.faults {
            match (noted, &fault) {
                (HandFault::FifthOfRank { rank, number, .. }, HandFault::FifthOfRank { rank: again, .. })
                    if rank == again =>
                {
                    *number += 1;
                    return;
                }
                (HandFault::SecondJoker { rank, .. }, HandFault::SecondJoker { rank: again, .. })
                    if rank == again =>
                {
                    return;
                }
                _ => {}
            }
        }
        if self.faults.len() < DECK {
            self.faults.push(fault);
        }
    }

    fn finish(mut self) -> Result<Hand, Vec<HandFault>> {
        match self.number {
            0 => self.faults.push(HandFault::Empty),
            number if number > DECK => self.faults.push(HandFault::TooMany { number }),
            _ => {}
        }
        if self.faults.is_empty() {
            Ok(Hand { counts: self.counts, cards: self.hand })
        } else {
            Err(self.faults)
        }
    }
}

#[cfg(test)]
mod tests;
