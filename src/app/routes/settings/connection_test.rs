//! The test of a connection, and its result.

use leptos::prelude::*;

use crate::app::components::dom::{El, b, div, span};
use crate::app::components::format;
use crate::app::model::diagnosis::Diagnosis;
use crate::app::model::known_workspaces::KnownWorkspace;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::{AppState, connection};

#[derive(Clone)]
pub enum TestStatus {
    Nothing,
    Underway,
    Wrong(String),
    Found(Diagnosis),
}

/// A test that is cancelled by the next one, and when the settings are left.
#[derive(Clone, Copy)]
pub struct ConnectionTest {
    status: RwSignal<TestStatus>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
}

impl ConnectionTest {
    pub fn new() -> Self {
        Self {
            status: RwSignal::new(TestStatus::Nothing),
            in_flight: StoredValue::new(None),
        }
    }

    pub fn get(self) -> TestStatus {
        self.status.get()
    }

    /// Tests a workspace with a key.
    pub fn run(self, app: AppState, to: KnownWorkspace, key: &str) {
        let client = match connection::client(app, &to, key) {
            Ok(client) => client,
            Err(problem) => return self.refuse(problem.to_string()),
        };
        self.status.set(TestStatus::Underway);
        let status = self.status;
        self.in_flight
            .set_value(Some(AbortOnDrop::start(async move {
                let found = connection::test(app, &client, &to.base).await;
                status.set(TestStatus::Found(found));
            })));
    }

    /// Shows why nothing was sent.
    pub fn refuse(self, problem: String) {
        self.in_flight.set_value(None);
        self.status.set(TestStatus::Wrong(problem));
    }

    pub fn clear(self) {
        self.in_flight.set_value(None);
        self.status.set(TestStatus::Nothing);
    }
}

pub fn verdict(test_status: &TestStatus) -> Option<El> {
    let message = |result: &str, title: &str, text: &str| {
        div()
            .class("found")
            .attr("data-result", result)
            .child(b().child(title))
            .child(span().child(text))
    };
    Some(match test_status {
        TestStatus::Nothing => return None,
        TestStatus::Underway => message("pending", "Testing…", ""),
        TestStatus::Wrong(problem) => message("failed", "Nothing was sent", problem),
        TestStatus::Found(found) => {
            let here = window().location().origin().unwrap_or_default();
            let leads = match found {
                Diagnosis::Connected(leads) => [" ", &*format::count(*leads, "lead"), "."].concat(),
                _ => String::new(),
            };
            let text = [found.remedy(&here), leads].concat();
            message(
                if found.is_well() { "ok" } else { "failed" },
                found.title(),
                &text,
            )
        }
    })
}
