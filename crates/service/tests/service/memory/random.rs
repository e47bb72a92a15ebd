//! Random requests, reproducible by a seed.

use fastrand::Rng;
use lead_workspace_api::{
    AccountFacetField, AccountField, AccountSort, FieldKind, LeadField, LeadSort, Operator, SortDir,
};
use serde_json::{Value, json};

use super::both::Values;

/// Where the values of each field are read from.
pub const VALUES: &[(&str, &str)] = &[
    ("lead_id", "SELECT lead_id FROM leads"),
    ("account_id", "SELECT account_id FROM accounts"),
    (
        "name",
        "SELECT name FROM leads UNION SELECT name FROM accounts",
    ),
    ("headline", "SELECT headline FROM leads"),
    (
        "approval_status",
        "SELECT DISTINCT approval_status FROM leads",
    ),
    (
        "created_at",
        "SELECT created_at FROM leads UNION SELECT substr(created_at, 1, 10) FROM leads",
    ),
    (
        "location",
        "SELECT location FROM leads UNION SELECT location FROM accounts",
    ),
    ("connections_count", "SELECT connections_count FROM leads"),
    ("follower_count", "SELECT follower_count FROM leads"),
    ("title", "SELECT title FROM leads"),
    ("company", "SELECT company FROM leads"),
    ("industry", "SELECT industry FROM leads"),
    ("company_size", "SELECT DISTINCT company_size FROM leads"),
    (
        "staff_count_range",
        "SELECT DISTINCT staff_count_range FROM accounts",
    ),
    ("company_location", "SELECT company_location FROM leads"),
    ("company_tagline", "SELECT company_tagline FROM leads"),
    (
        "company_founded_year",
        "SELECT company_founded_year FROM leads",
    ),
    (
        "icp_score",
        "SELECT DISTINCT CAST(icp_score AS INTEGER) FROM leads",
    ),
    ("icp_tier", "SELECT DISTINCT icp_tier FROM leads"),
    (
        "lead_count",
        "SELECT DISTINCT count(*) FROM leads GROUP BY account",
    ),
    (
        "campaign_lead_status",
        "SELECT DISTINCT campaign_lead_status FROM leads WHERE campaign_lead_status IS NOT NULL",
    ),
    (
        "connection",
        "SELECT DISTINCT connection FROM leads WHERE connection IS NOT NULL",
    ),
    (
        "reply",
        "SELECT DISTINCT reply FROM leads WHERE reply IS NOT NULL",
    ),
    (
        "sender",
        "SELECT DISTINCT sender FROM leads WHERE sender IS NOT NULL",
    ),
    (
        "current_node",
        "SELECT DISTINCT current_node FROM leads WHERE current_node IS NOT NULL",
    ),
    (
        "rate_limited_by",
        "SELECT DISTINCT rate_limited_by FROM leads WHERE rate_limited_by IS NOT NULL",
    ),
    (
        "intent_type",
        "SELECT DISTINCT intent_type FROM leads WHERE intent_type IS NOT NULL",
    ),
    ("list_id", "SELECT list_id FROM lists"),
    ("campaign_id", "SELECT campaign_id FROM campaigns"),
    ("signal_id", "SELECT signal_id FROM signals"),
    (
        "signal_run_id",
        "SELECT DISTINCT signal_run_id FROM intents",
    ),
    ("import_job_id", "SELECT import_job_id FROM import_jobs"),
    ("feed_post", "SELECT feed_post_id FROM feed_posts"),
    (
        "reply_classification",
        "SELECT DISTINCT reply_classification FROM leads WHERE reply_classification IS NOT NULL",
    ),
    (
        "chat_label",
        "SELECT DISTINCT chat_label FROM leads WHERE chat_label IS NOT NULL",
    ),
    (
        "network_account",
        "SELECT network_account FROM network_accounts",
    ),
];

/// Requests, the same for the same seed.
pub struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Returns a number below `length`, or 0.
    pub fn index(&mut self, length: usize) -> usize {
        self.0.usize(..length.max(1))
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.index(of.len())]
    }

    fn value(&mut self, values: &Values, field: &str) -> Value {
        match values.get(field).filter(|values| !values.is_empty()) {
            Some(values) => self.pick(values).clone(),
            None => json!(self.index(2) == 0),
        }
    }

    /// Returns an id, sometimes an unknown one.
    pub fn id(&mut self, values: &Values, field: &str) -> String {
        match self.index(20) {
            0 => "nobody".into(),
            _ => self.value(values, field).as_str().unwrap().to_owned(),
        }
    }

    pub fn status(&mut self) -> &'static str {
        self.pick::<&'static str>(&["approved", "pending_approval", "rejected", "filtered"])
    }

    /// Returns a part of a text, in another case.
    fn part(&mut self, text: &Value) -> String {
        let text = text
            .as_str()
            .map_or_else(|| text.to_string(), str::to_owned);
        let letters: Vec<char> = text.chars().collect();
        let from = self.index(letters.len());
        let to = (from + 1 + self.index(6)).min(letters.len());
        let part: String = letters[from..to].iter().collect();
        if self.index(2) == 0 {
            part.to_uppercase()
        } else {
            part
        }
    }

    pub fn filter(
        &mut self,
        values: &Values,
        field: &str,
        kind: FieldKind,
        operator: Operator,
    ) -> Value {
        let flag = kind == FieldKind::Flag;
        let one = |random: &mut Self| match flag {
            true => json!(random.index(2) == 0),
            false => random.value(values, field),
        };
        let value = match operator {
            Operator::In | Operator::NotIn => {
                let count = self.index(60);
                (0..count).map(|_| one(self)).collect()
            }
            Operator::Between => json!([one(self), one(self)]),
            Operator::Contains | Operator::NotContains => {
                let whole = one(self);
                json!(self.part(&whole))
            }
            Operator::StartsWith => {
                let whole = one(self);
                let text = whole
                    .as_str()
                    .map_or_else(|| whole.to_string(), str::to_owned);
                let letters = 1 + self.index(4);
                json!(text.chars().take(letters).collect::<String>())
            }
            Operator::IsSet | Operator::IsNotSet => Value::Null,
            // Sometimes of the wrong kind.
            _ if self.index(25) == 0 => json!(["wrong"]),
            _ => one(self),
        };
        json!({"field": field, "operator": operator, "value": value})
    }

    fn lead_filters(&mut self, values: &Values) -> Value {
        let count = self.index(4);
        let filters = (0..count).map(|_| {
            let field = *self.pick(LeadField::ALL);
            let operator = *self.pick(Operator::ALL);
            self.filter(values, field.as_str(), field.kind(), operator)
        });
        filters.collect()
    }

    fn search(&mut self, values: &Values) -> Value {
        let words = self.index(3);
        let words: Vec<String> = (0..words)
            .map(|_| {
                let field = *self
                    .pick::<&'static str>(&["name", "headline", "title", "company", "location"]);
                let whole = self.value(values, field);
                self.part(&whole)
            })
            .collect();
        if words.is_empty() {
            Value::Null
        } else {
            json!(words.join(*self.pick::<&str>(&[" ", " \u{200b} "])))
        }
    }

    pub fn lead_query(&mut self, values: &Values) -> Value {
        json!({
            "filters": self.lead_filters(values),
            "search": self.search(values),
            "sort_by": self.pick(LeadSort::ALL),
            "sort_dir": self.pick(SortDir::ALL),
            "page": 1 + self.index(3),
            "page_size": 1 + self.index(100),
        })
    }

    pub fn account_query(&mut self, values: &Values) -> Value {
        let filters: Value = (0..self.index(3))
            .map(|_| {
                let field = *self.pick(AccountField::ALL);
                let operator = *self.pick(Operator::ALL);
                self.filter(values, field.as_str(), field.kind(), operator)
            })
            .collect();
        let list = self.index(3) == 0;
        json!({
            "filters": filters,
            "search": self.search(values),
            "list_id": if list { self.value(values, "list_id") } else { Value::Null },
            "include_unpromoted": self.index(2) == 0,
            "sort_by": self.pick(AccountSort::ALL),
            "sort_dir": self.pick(SortDir::ALL),
            "page_size": 1 + self.index(100),
        })
    }

    pub fn context(&mut self, values: &Values) -> Value {
        let mut context = json!({});
        for field in ["signal_run_id", "signal_id", "campaign_id"] {
            if self.index(3) == 0 {
                context[field] = self.value(values, field);
            }
        }
        context
    }

    fn facet(&mut self) -> LeadField {
        loop {
            let field = *self.pick(LeadField::ALL);
            if matches!(field.kind(), FieldKind::Text | FieldKind::Token) {
                return field;
            }
        }
    }

    fn selected(&mut self, values: &Values, field: LeadField) -> Vec<Value> {
        let count = self.index(4);
        let values = (0..count).map(|_| match self.index(6) {
            0 => json!("not_there"),
            _ => self.value(values, field.as_str()),
        });
        values.collect()
    }

    fn q(&mut self, values: &Values, field: LeadField) -> String {
        let whole = self.value(values, field.as_str());
        if self.index(2) == 0 {
            String::new()
        } else {
            self.part(&whole)
        }
    }

    pub fn facet_search(&mut self, values: &Values) -> Value {
        let field = self.facet();
        let mut search = self.context(values);
        search["field"] = json!(field);
        search["q"] = json!(self.q(values, field));
        search["limit"] = json!(1 + self.index(30));
        let selected = self.selected(values, field);
        match self.index(3) {
            0 => {}
            1 => search["selected"] = json!(json!(selected).to_string()),
            _ => {
                let texts: Vec<&str> = selected.iter().filter_map(Value::as_str).collect();
                search["selected"] = json!(texts.join(","));
            }
        }
        search
    }

    pub fn facet_query(&mut self, values: &Values) -> Value {
        let count = 1 + self.index(6);
        let facets: Value = (0..count)
            .map(|_| {
                let field = self.facet();
                json!({
                    "field": field,
                    "q": self.q(values, field),
                    "limit": 1 + self.index(30),
                    "selected": self.selected(values, field),
                })
            })
            .collect();
        json!({"filters": self.lead_filters(values), "search": self.search(values), "facets": facets})
    }

    pub fn account_facet_query(&mut self, values: &Values) -> Value {
        let mut query = self.account_query(values);
        let facets: Value = (0..self.index(4))
            .map(|_| {
                let field = *self.pick(AccountFacetField::ALL);
                let count = self.index(3);
                let selected: Value = (0..count)
                    .map(|_| self.value(values, field.as_str()))
                    .filter(Value::is_string)
                    .collect();
                json!({"field": field, "selected": selected})
            })
            .collect();
        query["facets"] = facets;
        query
    }
}
