use bytes::Bytes;
use tokio::sync::{broadcast, watch};

use super::super::KeyValidity;
use super::super::event;
use super::super::follower::QUEUE;
use super::ChangeStream;
use crate::store::{Store, Tenant};

struct Opened {
    stream: ChangeStream,
    events: broadcast::Sender<Bytes>,
    key: watch::Sender<()>,
    _dir: tempfile::TempDir,
}

fn opened() -> Opened {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (events, received) = broadcast::channel(QUEUE);
    let (key, validity) = watch::channel(());
    let stream = ChangeStream::new(store, Tenant(1), KeyValidity(validity), received);
    Opened {
        stream: stream.after(7),
        events,
        key,
        _dir: dir,
    }
}

fn send(events: &broadcast::Sender<Bytes>, version: i64) {
    assert!(events.send(event::reset(version)).is_ok());
}

#[tokio::test]
async fn a_slow_stream_is_dropped() {
    let mut opened = opened();
    let queue = QUEUE as i64;
    for version in 0..queue {
        send(&opened.events, version);
    }
    let open = opened.stream.next().await.unwrap();
    assert_eq!(&open[..], b"event: open\nid: 7\ndata: {\"version\":7}\n\n");
    // It still has all of them.
    for version in 0..queue {
        let next = opened.stream.next().await.unwrap();
        assert_eq!(next, event::reset(version));
    }
    for version in 0..=queue {
        send(&opened.events, version);
    }
    assert_eq!(opened.stream.next().await, None);
}

#[tokio::test]
async fn the_end_of_a_key_ends_its_stream() {
    let mut opened = opened();
    opened.stream.next().await.unwrap();
    send(&opened.events, 8);
    drop(opened.key);
    assert_eq!(opened.stream.next().await, None);
}

#[tokio::test]
async fn a_silent_stream_shows_that_it_is_alive() {
    let mut opened = opened();
    opened.stream.next().await.unwrap();
    let heartbeat = opened.stream.next().await.unwrap();
    assert!(heartbeat.starts_with(b":") && heartbeat.ends_with(b"\n\n"));
}
