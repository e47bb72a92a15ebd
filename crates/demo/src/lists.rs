//! Puts demo leads on lists.

use crate::Demo;
use crate::company::Company;
use crate::intent::Intent;
use crate::random::Random;
use crate::vocabulary::places::Place;

impl Demo {
    /// Returns the indexes of the lists that a lead is on, by the purpose of each list.
    pub(crate) fn lists(
        &self,
        random: &mut Random,
        company: &Company,
        title: &str,
        place: &Place,
        intents: &[Intent],
    ) -> Vec<usize> {
        let country = place.country;
        let europe = place.timezone.starts_with("Europe/") || country == "Iceland";
        let industry = company.industry();
        let leads = [
            "Chief",
            "CEO",
            "CRO",
            "CMO",
            "CTO",
            "VP",
            "Vice",
            "Head",
            "Director",
            "Leitung",
            "Founder",
            "Geschäftsführ",
        ]
        .iter()
        .any(|word| title.contains(word));
        let software = industry.starts_with("Software") || industry.starts_with("IT ");
        let revenue = [
            "Sales",
            "Revenue",
            "Marketing",
            "Business Development",
            "CRO",
            "CMO",
        ]
        .iter()
        .any(|word| title.contains(word));
        let rules = [
            (
                matches!(country, "Germany" | "Austria" | "Switzerland") && software && leads,
                92,
            ),
            (
                matches!(country, "United Kingdom" | "Ireland") && revenue,
                80,
            ),
            (
                matches!(
                    country,
                    "Denmark" | "Sweden" | "Norway" | "Finland" | "Iceland"
                ) && (51..=201).contains(&company.heads),
                90,
            ),
            (
                country == "United States" && (title.contains("VP") || title.contains("Vice")),
                85,
            ),
            (
                company.heads < 51 && (title.contains("Founder") || title.contains("Gründer")),
                70,
            ),
            (true, 7),
            (true, 5),
            (true, 2),
            (europe && title.contains("Marketing") && leads, 85),
            (industry.contains("Machinery"), 60),
            (true, 4),
        ];
        let mut lists = Vec::new();
        for (list, (fits, share)) in rules.into_iter().enumerate() {
            if fits && random.percent(share) {
                lists.push(list);
            }
        }
        for list in intents.iter().filter_map(|intent| intent.list) {
            if !lists.contains(&list) {
                lists.push(list);
            }
        }
        lists
    }
}
