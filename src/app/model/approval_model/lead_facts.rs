//! What the approval model reads of a lead: facts such as its tier, industry and seniority.

use std::cmp::Ordering;

use lead_workspace_api::{STAFF_COUNT_RANGES, ScorePart};

use super::title::{seniority, title_words};
use crate::app::model::lead::LeadItem;

/// Maximum length of the text of a fact, in bytes.
const MAX_TEXT: usize = 60;

/// What a fact is about. The first three are ordered by level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactKind {
    /// The score in steps of `SCORE_STEP` points.
    Score,
    /// The number of the headcount range, from 1; 0 if it is not known.
    Size,
    /// The level of the title, from 1 for a junior to 8 for a founder; 0 if there is no title.
    Seniority,
    Tier,
    /// The points of one part of the score: its name, and a level from 0 for none to 4 for all.
    ScorePart,
    Industry,
    TitleWord,
    /// The last part of the location.
    Country,
    /// Another part of the location.
    Place,
    /// The latest intent event; empty if there is none.
    Intent,
}

/// Points between two levels of [`FactKind::Score`].
pub(super) const SCORE_STEP: u8 = 5;

impl FactKind {
    /// All kinds with the letters that they are stored as.
    const LETTERS: [(Self, char); 10] = [
        (Self::Score, 's'),
        (Self::Size, 'z'),
        (Self::Seniority, 'l'),
        (Self::Tier, 't'),
        (Self::ScorePart, 'p'),
        (Self::Industry, 'i'),
        (Self::TitleWord, 'w'),
        (Self::Country, 'c'),
        (Self::Place, 'o'),
        (Self::Intent, 'e'),
    ];

    pub(super) fn letter(self) -> char {
        let found = Self::LETTERS.iter().find(|(kind, _)| *kind == self);
        found.map_or(' ', |(_, letter)| *letter)
    }

    pub(super) fn from_letter(letter: char) -> Option<Self> {
        let found = Self::LETTERS.iter().find(|(_, known)| *known == letter);
        found.map(|(kind, _)| *kind)
    }
}

/// A fact about a lead. Texts that differ only in the case of ASCII letters are equal.
#[derive(Clone, Debug)]
pub struct LeadFact {
    pub kind: FactKind,
    /// 0 if the kind has no levels.
    pub level: u8,
    /// Empty if the kind has only levels, or if the lead has no such value.
    pub text: String,
}

impl LeadFact {
    fn of_level(kind: FactKind, level: u8) -> Self {
        Self {
            kind,
            level,
            text: String::new(),
        }
    }

    fn of_text(kind: FactKind, text: &str) -> Self {
        let text = text.trim();
        let mut end = text.len().min(MAX_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self {
            kind,
            level: 0,
            text: text[..end].to_owned(),
        }
    }
}

impl Ord for LeadFact {
    fn cmp(&self, other: &Self) -> Ordering {
        let lower = |fact: &Self, at: usize| fact.text.as_bytes()[at].to_ascii_lowercase();
        let both = self.text.len().min(other.text.len());
        let differing = (0..both).map(|at| lower(self, at).cmp(&lower(other, at)));
        (self.kind, self.level)
            .cmp(&(other.kind, other.level))
            .then(differing.fold(Ordering::Equal, Ordering::then))
            .then(self.text.len().cmp(&other.text.len()))
    }
}

impl PartialOrd for LeadFact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for LeadFact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for LeadFact {}

/// The facts of one lead, sorted and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadFacts {
    facts: Vec<LeadFact>,
    /// Hash of the company's name, else of the lead's id. Not a fact: it keeps colleagues together
    /// when predictions are checked.
    company: u32,
}

impl LeadFacts {
    /// Reads the facts of a lead.
    pub fn new(lead: &LeadItem) -> Self {
        let title = lead.title.as_deref().unwrap_or_default();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let mut facts = Self {
            facts: Vec::new(),
            company: hash(lead.company.as_deref().unwrap_or(&lead.id)),
        };
        facts.add(LeadFact::of_level(
            FactKind::Size,
            size_level(&text(&lead.company_size)),
        ));
        facts.add(LeadFact::of_level(FactKind::Seniority, seniority(title)));
        facts.add(LeadFact::of_text(FactKind::Tier, &text(&lead.tier)));
        facts.add(LeadFact::of_text(FactKind::Industry, &text(&lead.industry)));
        facts.add(LeadFact::of_text(FactKind::Intent, &text(&lead.intent)));
        if let Some(score) = lead.score {
            // As shown: rounded. The conversion saturates.
            let level = score.round() as u8 / SCORE_STEP;
            facts.add(LeadFact::of_level(FactKind::Score, level.min(20)));
        }
        for part in ScorePart::read_all(&text(&lead.reasoning)) {
            let level = part_level(&part);
            facts.add(LeadFact {
                level,
                ..LeadFact::of_text(FactKind::ScorePart, &part.name)
            });
        }
        for word in title_words(title) {
            facts.add(LeadFact::of_text(FactKind::TitleWord, word));
        }
        let location = lead.location.as_deref().unwrap_or_default();
        let mut places = location.rsplit(',');
        let country = places.next().unwrap_or_default();
        facts.add(LeadFact::of_text(FactKind::Country, country));
        for place in places.filter(|place| !place.trim().is_empty()) {
            facts.add(LeadFact::of_text(FactKind::Place, place));
        }
        facts
    }

    /// Inserts in order: a sort of this type would be larger in the Wasm.
    fn add(&mut self, fact: LeadFact) {
        if let Err(at) = self.facts.binary_search(&fact) {
            self.facts.insert(at, fact);
        }
    }

    pub fn facts(&self) -> &[LeadFact] {
        &self.facts
    }

    pub(super) fn company(&self) -> u32 {
        self.company
    }
}

/// Returns the hash of a text (FNV-1a), regardless of the case of ASCII letters.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}

/// Returns the number of the headcount range, from 1; 0 if the text has no number.
fn size_level(range: &str) -> u8 {
    let digits = range.bytes().skip_while(|byte| !byte.is_ascii_digit());
    let mut heads: Option<i64> = None;
    for byte in digits {
        match byte {
            b'0'..=b'9' => {
                let digit = i64::from(byte - b'0');
                heads = Some(heads.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            }
            b',' | b'.' | b'\'' => {}
            b'k' | b'K' => {
                heads = heads.map(|heads| heads.saturating_mul(1000));
                break;
            }
            _ => break,
        }
    }
    let Some(heads) = heads else {
        return 0;
    };
    let reached = STAFF_COUNT_RANGES.iter().filter(|range| range.1 <= heads);
    reached.count() as u8
}

/// Returns 0 for no points, 1 to 3 for a third each, and 4 for all points.
fn part_level(part: &ScorePart) -> u8 {
    match (part.points, part.max) {
        (0, _) => 0,
        (points, max) if points >= max => 4,
        (points, max) => 1 + (u64::from(points) * 3 / u64::from(max)) as u8,
    }
}
