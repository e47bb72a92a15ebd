//! Diagnosis of an unreachable workspace, and the list of remembered workspaces.

use lead_workspace::app::model::diagnosis::{Diagnosis, TestObservation, TestOutcome, diagnose};
use lead_workspace::app::model::known_workspaces::{KnownWorkspace, KnownWorkspaces};
use lead_workspace::app::model::masked_key::masked;

const FAR: &str = "https://workspace.example";

/// An https page, online, with the workspace at another origin.
fn seen(outcome: TestOutcome) -> TestObservation<'static> {
    TestObservation {
        outcome,
        base: FAR,
        secure: true,
        online: true,
        reachable: false,
        blocked: false,
    }
}

#[test]
fn the_server_response_takes_precedence() {
    // If the server responded, other signals do not matter.
    for (base, secure, online, reachable) in [
        (FAR, true, true, true),
        ("", false, false, false),
        ("http://127.0.0.1:8080", true, false, false),
    ] {
        let meant = |outcome| {
            diagnose(&TestObservation {
                outcome,
                base,
                secure,
                online,
                reachable,
                blocked: false,
            })
        };
        assert_eq!(meant(TestOutcome::Leads(12)), Diagnosis::Connected(12));
        assert_eq!(meant(TestOutcome::Status(401)), Diagnosis::WrongKey);
        assert_eq!(meant(TestOutcome::Status(403)), Diagnosis::Forbidden);
        assert_eq!(meant(TestOutcome::Status(404)), Diagnosis::NoWorkspace);
        assert_eq!(meant(TestOutcome::Status(405)), Diagnosis::NoWorkspace);
        assert_eq!(meant(TestOutcome::Strange), Diagnosis::NoWorkspace);
        assert_eq!(meant(TestOutcome::Status(429)), Diagnosis::Limited);
        assert_eq!(meant(TestOutcome::Status(503)), Diagnosis::Broken(503));
    }
}

#[test]
fn without_a_response_the_environment_is_diagnosed() {
    let nothing = seen(TestOutcome::Nothing);
    let certificate = |certificate| Diagnosis::Unreachable { certificate };
    assert_eq!(diagnose(&nothing), certificate(true));
    assert_eq!(
        diagnose(&TestObservation {
            reachable: true,
            ..nothing
        }),
        Diagnosis::Cors
    );
    assert_eq!(
        diagnose(&TestObservation {
            blocked: true,
            ..nothing
        }),
        Diagnosis::Blocked
    );
    assert_eq!(
        diagnose(&TestObservation {
            online: false,
            ..nothing
        }),
        Diagnosis::Offline
    );
    assert_eq!(diagnose(&seen(TestOutcome::Slow)), Diagnosis::Slow);
    let plain = TestObservation {
        base: "http://workspace.example",
        ..nothing
    };
    assert_eq!(diagnose(&plain), Diagnosis::Insecure);
    assert_eq!(
        diagnose(&TestObservation {
            secure: false,
            ..plain
        }),
        certificate(false)
    );
    // The app's own server needs no CORS permission.
    let here = TestObservation {
        base: "",
        reachable: true,
        ..nothing
    };
    assert_eq!(diagnose(&here), certificate(false));
}

#[test]
fn localhost_needs_neither_network_nor_https() {
    for base in [
        "http://127.0.0.1:8080",
        "http://localhost:8080/x",
        "http://[::1]:1",
    ] {
        let seen = TestObservation {
            base,
            online: false,
            ..seen(TestOutcome::Nothing)
        };
        assert_eq!(
            diagnose(&seen),
            Diagnosis::Unreachable { certificate: false }
        );
        assert_eq!(
            diagnose(&TestObservation {
                reachable: true,
                ..seen
            }),
            Diagnosis::Cors
        );
    }
    let lookalike = TestObservation {
        base: "http://127.example.com.evil",
        ..seen(TestOutcome::Nothing)
    };
    assert_eq!(
        diagnose(&TestObservation {
            base: "http://workspace.example",
            ..lookalike
        }),
        Diagnosis::Insecure
    );
}

#[test]
fn every_diagnosis_has_a_next_step() {
    let all = [
        Diagnosis::Connected(1),
        Diagnosis::WrongKey,
        Diagnosis::Forbidden,
        Diagnosis::NoWorkspace,
        Diagnosis::Limited,
        Diagnosis::Broken(503),
        Diagnosis::Slow,
        Diagnosis::Offline,
        Diagnosis::Insecure,
        Diagnosis::Blocked,
        Diagnosis::Cors,
        Diagnosis::Unreachable { certificate: true },
        Diagnosis::Unreachable { certificate: false },
    ];
    for diagnosis in all {
        let remedy = diagnosis.remedy("https://here.example");
        assert!(remedy.ends_with('.') || remedy.ends_with(')'), "{remedy}");
        assert!(!diagnosis.title().is_empty() && remedy.len() > 15);
        assert_eq!(
            diagnosis.is_well(),
            matches!(diagnosis, Diagnosis::Connected(_))
        );
    }
    assert!(
        Diagnosis::Cors
            .remedy("https://here.example")
            .contains("--allow-origin https://here.example")
    );
}

fn known(base: &str, tenant: &str, name: &str) -> KnownWorkspace {
    KnownWorkspace {
        base: base.into(),
        tenant: tenant.into(),
        name: name.into(),
    }
}

#[test]
fn workspaces_are_stored_by_address_and_id_latest_first() {
    let mut all = KnownWorkspaces::default();
    assert_eq!(all.to_text(), "");
    all.opened(known("", "", ""));
    all.opened(known(FAR, "acme", "Acme"));
    all.opened(known(FAR, "", "All"));
    // A name stays until a new one replaces it.
    all.opened(known(FAR, "acme", ""));
    let labels: Vec<_> = all.all().iter().map(KnownWorkspace::label).collect();
    assert_eq!(labels, ["Acme", "All", "This server"]);
    assert_eq!(KnownWorkspaces::parse(&all.to_text()), all);
    all.forget(&known(FAR, "", "whatever"));
    assert_eq!(all.all().len(), 2);
    for number in 0..20 {
        all.opened(known(&format!("https://{number}.example"), "", ""));
    }
    assert_eq!(all.all().len(), 12);
    assert_eq!(all.all()[0].label(), "https://19.example");
    for spoiled in ["", "{}", "[1,[2],[\"a\"]]", "[[\"a\",\"b\"]]"] {
        assert_eq!(KnownWorkspaces::parse(spoiled), KnownWorkspaces::default());
    }
}

#[test]
fn the_address_identifies_the_workspace() {
    assert_eq!(known("", "", "x").to_query(), "");
    assert_eq!(
        known(FAR, "", "").to_query(),
        "base=https%3A%2F%2Fworkspace.example"
    );
    assert_eq!(known("", "a b", "").to_query(), "tenant=a+b");
    assert_eq!(
        known(FAR, "acme", "").address(),
        "https://workspace.example · acme"
    );
}

#[test]
fn a_workspace_has_a_title_and_can_be_renamed() {
    let here = KnownWorkspace::default();
    assert_eq!(here.title("", "leads.example:8000"), "leads.example:8000");
    let elsewhere = KnownWorkspace {
        base: "https://other.example/api".to_owned(),
        ..here.clone()
    };
    assert_eq!(elsewhere.title("", "leads.example"), "other.example/api");
    let tenant = KnownWorkspace {
        tenant: "sales".to_owned(),
        ..elsewhere.clone()
    };
    assert_eq!(tenant.title("", "leads.example"), "sales");
    let named = |name: &str| KnownWorkspace {
        name: name.to_owned(),
        ..tenant.clone()
    };
    assert_eq!(named("Sales").title("", "leads.example"), "Sales");

    let mut all = KnownWorkspaces::default();
    all.opened(elsewhere.clone());
    all.named(named("Sales"));
    assert_eq!(all.all(), [named("Sales"), elsewhere.clone()]);
    all.named(named(""));
    assert_eq!(all.all(), [tenant, elsewhere], "the name is gone");
}

#[test]
fn the_name_that_the_server_sent_replaces_the_address() {
    let host = "127.0.0.1:8787";
    for (base, tenant) in [("", ""), (FAR, ""), (FAR, "sales")] {
        let named = known(base, tenant, "Mine");
        assert_eq!(named.title("Northwind outbound", host), "Mine");
        let unnamed = known(base, tenant, "");
        assert_eq!(
            unnamed.title("Northwind outbound", host),
            "Northwind outbound"
        );
        assert_ne!(unnamed.title("", host), "");
    }
}

#[test]
fn a_shown_key_has_no_part_of_its_secret() {
    assert_eq!(masked("lwk_23ea91_s3cret"), "lwk_23ea…");
    assert_eq!(masked("lwk_2_s3cret"), "lwk_2…");
    for key in ["lwk_s3cret", "s3cret_key", "", "é"] {
        assert_eq!(masked(key), "••••••••", "{key}");
    }
}
