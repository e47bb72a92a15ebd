//! Validation of scoring rules.

use super::rules::{Group, Matching, Rules};

impl Rules {
    /// Reads rules from JSON.
    ///
    /// # Errors
    /// Every problem, one per line, with the path of the value and what is allowed.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let rules: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let problems = rules.problems();
        if problems.is_empty() {
            Ok(rules)
        } else {
            Err(problems.join("\n"))
        }
    }

    /// Returns every problem of the rules; empty if they are valid.
    pub fn problems(&self) -> Vec<String> {
        let mut found = Problems(Vec::new());
        let sum: u64 = self.weights.all().iter().map(|(_, w)| u64::from(*w)).sum();
        if sum != 100 {
            found.add("weights", format_args!("add up to {sum}, not to 100"));
        }
        let tiers = &self.tiers;
        if !(tiers.c < tiers.b && tiers.b < tiers.a && tiers.a <= 100) {
            let values = format!("a {}, b {}, c {}", tiers.a, tiers.b, tiers.c);
            found.add(
                "tiers",
                format_args!("must descend from a to c, none above 100 ({values})"),
            );
        }
        found.matching("industry", &self.industry);
        found.matching("location", &self.location);
        found.sizes(self);
        found.titles(self);
        found.intents(self);
        found.0
    }
}

struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, path: &str, what: impl std::fmt::Display) {
        self.0.push(format!("{path}: {what}"));
    }

    fn share(&mut self, path: &str, share: f64) {
        if !(0.0..=1.0).contains(&share) {
            self.add(path, format_args!("{share} is not between 0 and 1"));
        }
    }

    fn group(&mut self, path: &str, name: &str, share: f64, words: &[String]) {
        if name.trim().is_empty() {
            self.add(&format!("{path}.name"), "is empty");
        }
        self.share(&format!("{path}.share"), share);
        if words.is_empty() {
            self.add(
                &format!("{path}.words"),
                "is empty, so the group never matches",
            );
        }
        for (at, word) in words.iter().enumerate() {
            if !word.chars().any(char::is_alphanumeric) {
                let path = format!("{path}.words[{at}]");
                self.add(&path, format_args!("{word:?} has no letter or digit"));
            }
        }
    }

    fn groups(&mut self, path: &str, groups: &[Group]) {
        for (at, group) in groups.iter().enumerate() {
            let path = format!("{path}[{at}]");
            self.group(&path, &group.name, group.share, &group.words);
        }
    }

    fn matching(&mut self, path: &str, matching: &Matching) {
        self.groups(&format!("{path}.groups"), &matching.groups);
        self.share(&format!("{path}.other"), matching.other);
        self.share(&format!("{path}.unknown"), matching.unknown);
    }

    fn sizes(&mut self, rules: &Rules) {
        let mut above = None;
        for (at, band) in rules.size.bands.iter().enumerate() {
            let path = format!("size.bands[{at}]");
            self.share(&format!("{path}.share"), band.share);
            let to = band.to.unwrap_or(u32::MAX);
            if band.from > to {
                self.add(&path, format_args!("from {} is above to {to}", band.from));
            }
            if above.is_some_and(|above| band.from <= above) {
                self.add(&path, "overlaps the band before it, or is out of order");
            }
            above = Some(to);
        }
        self.share("size.other", rules.size.other);
        self.share("size.unknown", rules.size.unknown);
    }

    fn titles(&mut self, rules: &Rules) {
        let title = &rules.title;
        for (at, level) in title.levels.iter().enumerate() {
            let path = format!("title.levels[{at}]");
            self.group(&path, &level.name, level.share, &level.words);
        }
        self.groups("title.departments", &title.departments);
        self.share("title.level_share", title.level_share);
        self.share("title.other_level", title.other_level);
        self.share("title.other_department", title.other_department);
        self.share("title.unknown", title.unknown);
    }

    fn intents(&mut self, rules: &Rules) {
        let intent = &rules.intent;
        for (event, share) in &intent.events {
            self.share(&format!("intent.events.{event}"), *share);
        }
        self.share("intent.other", intent.other);
        self.share("intent.each_more", intent.each_more);
        if intent.fresh_days > intent.stale_days {
            let (fresh, stale) = (intent.fresh_days, intent.stale_days);
            self.add(
                "intent",
                format_args!("fresh_days {fresh} is above stale_days {stale}"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn the_defaults_are_valid_and_survive_json() {
        let rules = Rules::default();
        assert_eq!(rules.problems(), [] as [&str; 0]);
        let text = serde_json::to_string(&rules).unwrap();
        assert_eq!(Rules::from_json(&text), Ok(rules));
        assert_eq!(Rules::from_json("{}"), Ok(Rules::default()));
    }

    #[test]
    fn every_problem_is_reported_with_its_path() {
        let text = r#"{
            "weights": {"industry": 30},
            "tiers": {"a": 50, "b": 60},
            "industry": {"groups": [{"name": "x", "share": 1.5, "words": ["!"]}]},
            "size": {"bands": [{"from": 1, "to": 50, "share": 1}, {"from": 50, "share": 0}]},
            "intent": {"fresh_days": 100}
        }"#;
        let problems = Rules::from_json(text).unwrap_err();
        let expected = [
            "weights: add up to 105, not to 100",
            "tiers: must descend from a to c, none above 100 (a 50, b 60, c 55)",
            "industry.groups[0].share: 1.5 is not between 0 and 1",
            "industry.groups[0].words[0]: \"!\" has no letter or digit",
            "size.bands[1]: overlaps the band before it, or is out of order",
            "intent: fresh_days 100 is above stale_days 90",
        ];
        assert_eq!(problems, expected.join("\n"));
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let error = Rules::from_json(r#"{"wieghts": {}}"#).unwrap_err();
        assert!(error.contains("wieghts"), "{error}");
    }
}
