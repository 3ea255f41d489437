//! Scores how well the name at a bank fits the name of a profile. Pure.
//!
//! The rules, on names split into words:
//!
//! 1. Case, diacritics, punctuation and the order of words do not matter, nor do honorifics ([`HONORIFICS`]), unless a
//!    name has nothing else. Common abbreviations are written out, and spellings of one sound are unified
//!    ([`SOUNDS`]): Laxmi is Lakshmi, Geeta is Gita.
//! 2. Words are paired one to one, as many as possible. Two words of more than one letter pair if they are at most one
//!    edit apart in every ten letters; short names must be equal: Rajesh is not Rakesh. An initial pairs with a word that
//!    begins with it, and costs [`INITIAL`].
//! 3. Words left over on both sides contradict each other: two persons, [`CONTRADICTION`] at most.
//! 4. A word left over on one side only is a name that the other side leaves out: an initial costs [`INITIAL`], a word
//!    [`LEFT_OUT`] if two others agree, [`LEFT_OUT_OF_TWO`] if only one does.
//! 5. Names without a whole word in common share only initials: [`INITIALS_ALONE`] at most.

use strsim::osa_distance;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words that do not identify a person.
const HONORIFICS: [&str; 22] = [
    "mr", "mrs", "ms", "miss", "master", "mx", "dr", "prof", "adv", "er", "ca", "capt", "col", "late",
    "shri", "shree", "sri", "sree", "smt", "shrimati", "kumari", "kum",
];

/// Common abbreviations and spellings of words.
const ABBREVIATIONS: [(&str, &str); 8] = [
    ("md", "mohammad"),
    ("mohd", "mohammad"),
    ("mohammed", "mohammad"),
    ("mohamed", "mohammad"),
    ("muhammad", "mohammad"),
    ("muhammed", "mohammad"),
    ("kr", "kumar"),
    ("sh", "shri"),
];

/// Spellings of one sound, in the order in which they are replaced.
const SOUNDS: [(&str, &str); 16] = [
    ("x", "ks"),
    ("ee", "i"),
    ("oo", "u"),
    ("ph", "f"),
    ("sh", "s"),
    ("th", "t"),
    ("dh", "d"),
    ("bh", "b"),
    ("gh", "g"),
    ("jh", "j"),
    ("kh", "k"),
    ("w", "v"),
    ("z", "j"),
    ("q", "k"),
    ("ck", "k"),
    ("ou", "au"),
];

/// The maximum numbers of compared words and letters of a name: a bank's name has no limit of its own.
const MAX_WORDS: usize = 6;
const MAX_LETTERS: usize = 200;

const INITIAL: u32 = 5;
const LEFT_OUT: u32 = 15;
const LEFT_OUT_OF_TWO: u32 = 40;
const CONTRADICTION: u32 = 60;
const INITIALS_ALONE: u32 = 50;

/// Scores two names from 0 to 100, whichever comes first, and in any order of their words. The score is 100 if no
/// difference matters, and 0 if a name has no letter at all.
pub fn score(one: &str, other: &str) -> u32 {
    let (one, other) = (words(one), words(other));
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    if one == other {
        return 100;
    }
    let paired = pair(&one, &other, 0);
    let (left_one, left_other) = (one.len() - paired.count(), other.len() - paired.count());
    let reached = if left_one > 0 && left_other > 0 {
        let share = 200 * paired.count() / (one.len() + other.len());
        (share as u32).min(CONTRADICTION)
    } else {
        let initials = one.iter().chain(&other).filter(|word| is_initial(word)).count();
        let left_initials = initials - paired.initials_used;
        let left_words = left_one + left_other - left_initials;
        let each = if paired.whole >= 2 { LEFT_OUT } else { LEFT_OUT_OF_TWO };
        100u32.saturating_sub(paired.lost + INITIAL * left_initials as u32 + each * left_words as u32)
    };
    if paired.whole == 0 { reached.min(INITIALS_ALONE) } else { reached }
}

/// The result of pairing words. Of two results, the one with the greater rank is better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Paired {
    /// The number of pairs of words of more than one letter.
    whole: usize,
    /// The number of pairs with an initial.
    by_initial: usize,
    initials_used: usize,
    /// The cost of the pairs.
    lost: u32,
}

impl Paired {
    fn count(self) -> usize {
        self.whole + self.by_initial
    }

    fn rank(self) -> (usize, usize, std::cmp::Reverse<u32>, usize) {
        (self.whole, self.by_initial, std::cmp::Reverse(self.lost), self.initials_used)
    }

    fn and(self, more: Self) -> Self {
        Self {
            whole: self.whole + more.whole,
            by_initial: self.by_initial + more.by_initial,
            initials_used: self.initials_used + more.initials_used,
            lost: self.lost + more.lost,
        }
    }
}

/// Returns the best way to pair the words; `used` has a bit for each of the other name's words. Six words have at most
/// 13,327 ways.
fn pair(one: &[String], other: &[String], used: u32) -> Paired {
    let Some((first, rest)) = one.split_first() else { return Paired::default() };
    let mut best = pair(rest, other, used);
    for (index, word) in other.iter().enumerate().filter(|(index, _)| used & (1 << index) == 0) {
        if let Some(fit) = fit(first, word) {
            let paired = fit.and(pair(rest, other, used | (1 << index)));
            if paired.rank() > best.rank() {
                best = paired;
            }
        }
    }
    best
}

fn fit(one: &str, other: &str) -> Option<Paired> {
    let begin_alike = one.chars().next() == other.chars().next();
    match (is_initial(one), is_initial(other)) {
        (true, true) => begin_alike.then(|| Paired { by_initial: 1, initials_used: 2, ..Paired::default() }),
        (true, false) | (false, true) => begin_alike.then(|| Paired {
            by_initial: 1,
            initials_used: 1,
            lost: INITIAL,
            ..Paired::default()
        }),
        (false, false) => {
            let letters = one.chars().count().max(other.chars().count());
            let edits = osa_distance(one, other);
            (edits * 10 <= letters).then(|| Paired {
                whole: 1,
                lost: (100 * edits / letters) as u32,
                ..Paired::default()
            })
        }
    }
}

fn is_initial(word: &str) -> bool {
    word.chars().nth(1).is_none()
}

/// Returns the words of a name that count, each in one spelling, sorted.
fn words(name: &str) -> Vec<String> {
    // Accents of Latin letters are removed; the vowel signs of Indian scripts are marks as well, and stay.
    let letters = name.nfkd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).take(MAX_LETTERS);
    let mut plain = String::new();
    for letter in letters.flat_map(char::to_lowercase) {
        match letter {
            '\'' | '’' | '`' => {}
            letter if letter.is_alphanumeric() || is_combining_mark(letter) => plain.push(letter),
            _ => plain.push(' '),
        }
    }
    let all: Vec<&str> = plain.split_whitespace().map(written_out).collect();
    let telling: Vec<&str> = all.iter().copied().filter(|word| !HONORIFICS.contains(word)).collect();
    let mut words: Vec<String> =
        if telling.is_empty() { all } else { telling }.into_iter().map(sounded).collect();
    words.sort();
    words.truncate(MAX_WORDS);
    words
}

fn written_out(word: &str) -> &str {
    ABBREVIATIONS.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long)
}

/// Unifies the spellings of a sound; an initial stays one letter.
fn sounded(word: &str) -> String {
    let is_one = is_initial(word);
    let mut sounded = word.to_owned();
    for (spelling, sound) in SOUNDS {
        sounded = sounded.replace(spelling, sound);
    }
    if let Some(stem) = sounded.strip_suffix('y') {
        sounded = format!("{stem}i");
    }
    let mut once = String::new();
    for letter in sounded.chars() {
        if !once.ends_with(letter) || !letter.is_alphabetic() {
            once.push(letter);
        }
    }
    if is_one { once.chars().take(1).collect() } else { once }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The default score for verification without an admin's review.
    const VERIFIED: u32 = 80;

    #[test]
    fn spellings_of_one_name_match() {
        let pairs = [
            ("Ravi Kumar", "RAVI KUMAR"),
            ("Ravi Kumar", "Kumar Ravi"),
            ("Ravi Kumar", "R. Kumar"),
            ("R Kumar", "Ravi Kumar"),
            ("Ravi Kumar", "Kumar, R."),
            ("Ravi Kumar", "Mr. Ravi Kumar"),
            ("Ravi Kumar", "MR RAVI  KUMAR"),
            ("Ravi Kumar", "Ravi Kr"),
            ("Smt. Lakshmi Narayanan", "LAXMI NARAYANAN"),
            ("Lakshmi N", "Lakshmi Narayanan"),
            ("Shri Venkatesh Iyer", "Venkatesh Iyer"),
            ("Sri. S. Murugan", "Murugan S"),
            ("S Murugan", "Murugan"),
            ("A. P. J. Abdul Kalam", "Kalam, Abdul A P J"),
            ("R K Sharma", "Ravi Kumar Sharma"),
            ("K. Ravi Kumar", "Ravi Kumar"),
            ("Ravi Shankar Prasad", "Ravi Prasad"),
            ("Kumari Sunita Devi", "Suneeta Devi"),
            ("Dr. Geeta Rao", "gita rao"),
            ("Mohd Imran Khan", "Mohammed Imran Khan"),
            ("Md. Salim", "Mohammad Saleem"),
            ("Anthony D'Souza", "Antony DSouza"),
            ("José Fernandes", "Jose Fernandes"),
            ("Poornima Bhat", "Purnima Bhat"),
            ("Vishwanath Reddy", "Viswanath Reddi"),
            ("Venkateshwaran Subramaniam", "Venkateswaran Subramanian"),
            ("Balasubramanian", "Balasubramaniam"),
            ("Harpreet Singh", "Singh Harprit"),
            ("रवि कुमार", "कुमार रवि"),
            ("Asha\u{a0}Rao", "Asha Rao"),
        ];
        for (one, other) in pairs {
            assert!(score(one, other) >= VERIFIED, "{one} / {other}: {}", score(one, other));
        }
    }

    #[test]
    fn names_of_two_persons_do_not_match() {
        let pairs = [
            ("Ravi Kumar", "Rani Kumar"),
            ("Rajesh Kumar", "Rakesh Kumar"),
            ("Suresh Babu", "Ramesh Babu"),
            ("Manish Gupta", "Munish Gupta"),
            ("Kiran Rao", "Karan Rao"),
            ("Asha Rao", "Usha Rao"),
            ("Asha Rao", "Asha Rai"),
            ("Anil Sharma", "Sunil Sharma"),
            ("Ravi Kumar", "S. Kumar"),
            ("R. Kumar", "S. Kumar"),
            ("Ravi Kumar", "Ravi"),
            ("Ravi", "Kumar"),
            ("Ravi Kumar Singh", "Ravi Kumar Sharma"),
            ("Ravi Kumar", "R. K."),
            ("K. Kumar", "Ravi Kumar"),
            ("R K", "R K Sharma"),
            ("Mohd Imran", "Mohd Irfan"),
            ("Mr Ravi", "Mr Shyam"),
            ("Lakshmi Devi", "Saraswati Devi"),
            ("Harpreet Singh", "Gurpreet Singh"),
            ("Arjun", "Arun"),
            ("Deepa", "Deepak"),
            ("Ravi Kumar", ""),
            ("Ravi Kumar", "🚗"),
            ("रवि कुमार", "राव कुमार"),
            ("Ravi Kumar", "রবি কুমার"),
        ];
        for (one, other) in pairs {
            assert!(score(one, other) < VERIFIED, "{one} / {other}: {}", score(one, other));
        }
    }

    #[test]
    fn irrelevant_differences_cost_nothing() {
        for same in ["Ravi Kumar", "kumar ravi", "Mr. RAVI-KUMAR", "Shri Rávi  Kumar", "Kumar, Ravi (Dr)"] {
            assert_eq!(score("Ravi Kumar", same), 100, "{same}");
        }
        assert_eq!(score("Kumari", "kumari"), 100, "an honorific alone is a name");
        assert_eq!(score("", ""), 0);
        assert_eq!(score("- - -", "Mr"), 0);
        assert_eq!(score("x", "X."), 100);
    }

    proptest! {
        #[test]
        fn the_order_of_the_names_does_not_matter_and_nothing_panics(one in any::<String>(), other in any::<String>()) {
            let reached = score(&one, &other);
            prop_assert!(reached <= 100);
            prop_assert_eq!(reached, score(&other, &one));
        }

        #[test]
        fn the_order_of_words_does_not_matter(
            one in prop::collection::vec("[A-Za-zàé]{1,9}", 1..5),
            other in prop::collection::vec("[A-Za-zàé]{1,9}", 1..5),
            turn in 0usize..4,
        ) {
            let mut turned = one.clone();
            turned.rotate_left(turn % one.len());
            let mut back = other.clone();
            back.reverse();
            prop_assert_eq!(
                score(&one.join(" "), &other.join(" ")),
                score(&turned.join(" "), &back.join("  ")),
            );
        }

        #[test]
        fn every_name_fits_itself(name in "[\\PC]{0,40}[a-zA-Z\u{915}-\u{939}][\\PC]{0,40}") {
            prop_assert_eq!(score(&name, &name), 100);
        }
    }
}
