//! Kibitz: the best next decision in games of dice and cards, exactly, in microseconds.

pub mod yahtzee;
