//! Streams over all pages of a query.

use std::cell::RefCell;
use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use lead_workspace::api::LeadQuery;
use lead_workspace::client::page_loader::PageEvent;
use lead_workspace::client::paginate::Drift;
use lead_workspace::client::runtime::Runtime;
use lead_workspace::client::{CallOptions, ErrorKind};

use crate::support::{Answer, Wire, World, json, run};

fn page(ids: &[&str], total: u64, more: bool) -> Answer {
    let rows: Vec<_> = ids
        .iter()
        .map(|id| serde_json::json!({"lead_id": id}))
        .collect();
    let page = serde_json::json!({"data": rows, "total": total, "has_more": more});
    json(200, &page.to_string())
}

fn ids(rows: &[lead_workspace::api::LeadListItem]) -> Vec<&str> {
    rows.iter()
        .map(|row| row.lead_id.as_ref().unwrap().as_str())
        .collect()
}

#[test]
fn every_row_is_read_once_and_moves_are_reported() {
    let odd =
        r#"{"data":[{"lead_id":"b"},{"lead_id":"c"},{"lead_id":7}],"total":4,"has_more":false}"#;
    let wire = Wire::answering([page(&["a", "b"], 3, true), json(200, odd)]);
    let events = RefCell::new(Vec::new());
    let client = wire.client();
    let stream = client
        .lead_pages(&LeadQuery::default(), None)
        .rows(|event| events.borrow_mut().push(event));
    let rows: Vec<_> = run(stream.map(Result::unwrap).collect());
    assert_eq!(ids(&rows), ["a", "b", "c"]);
    let events = events.into_inner();
    assert_eq!(events.len(), 3);
    let total = Drift::Total { before: 3, now: 4 };
    assert!(events.contains(&PageEvent::Drift(total)));
    assert!(matches!(events.last(), Some(PageEvent::RowError(odd)) if odd.index == 2));
}

#[test]
fn the_next_page_is_prefetched() {
    let wire = Wire::answering([
        page(&["a", "b"], 6, true),
        page(&["c", "d"], 6, true),
        page(&["e", "f"], 6, false),
    ]);
    let client = wire.client();
    run(async {
        let mut stream = pin!(client.lead_pages(&LeadQuery::default(), None).rows(|_| {}));
        stream.next().await.unwrap().unwrap();
        // The consumer takes a minute for the first row: the second page is prefetched meanwhile, the third is not
        // requested yet.
        World::default().sleep(Duration::from_secs(60)).await;
        assert_eq!(wire.sent().len(), 2);
        let rows: Vec<_> = stream.map(Result::unwrap).collect().await;
        assert_eq!(ids(&rows), ["b", "c", "d", "e", "f"]);
    });
    assert_eq!(wire.sent().len(), 3);
    assert_eq!(wire.ended_early(), 0);
}

#[test]
fn only_requested_rows_are_fetched() {
    let wire = Wire::answering([page(&["a", "b"], 6, true)]);
    let client = wire.client();
    let stream = client
        .lead_pages(&LeadQuery::default(), Some(2))
        .rows(|_| {});
    let rows: Vec<_> = run(stream.map(Result::unwrap).collect());
    assert_eq!(ids(&rows), ["a", "b"]);
    assert_eq!(wire.sent().len(), 1);
}

#[test]
fn dropping_the_pages_cancels_the_request() {
    let slow = (Duration::from_secs(5), page(&["c"], 3, false));
    let wire = Wire::after([(Duration::ZERO, page(&["a", "b"], 3, true)), slow]);
    let client = wire.client();
    run(async {
        let stream = Box::pin(client.lead_pages(&LeadQuery::default(), None).rows(|_| {}));
        let (first, stream) = stream.into_future().await;
        first.unwrap().unwrap();
        World::default().sleep(Duration::from_millis(1)).await;
        drop(stream);
        World::default().sleep(Duration::from_millis(1)).await;
    });
    assert_eq!((wire.sent().len(), wire.ended_early()), (2, 1));
}

#[test]
fn a_failed_page_can_be_requested_again() {
    let wire = Wire::answering([
        page(&["a", "b"], 3, true),
        json(409, "{}"),
        page(&["c"], 3, false),
    ]);
    let client = wire.client().with_options(CallOptions {
        retries: Some(0),
        ..CallOptions::default()
    });
    run(async {
        let mut pages = client.lead_pages(&LeadQuery::default(), None);
        pages.next().await.unwrap().unwrap();
        let error = pages.next().await.unwrap().unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Status));
        let step = pages.next().await.unwrap().unwrap();
        assert_eq!(ids(&step.rows), ["c"]);
        assert!(pages.next().await.is_none());
    });
}
