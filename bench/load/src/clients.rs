//! Clients that send one request after the other until the end.

use std::cell::RefCell;
use std::pin::Pin;
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::connection::Connection;
use crate::outcome::Outcome;
use crate::phase::{Load, Phase};
use crate::process::Processes;
use crate::requests::{Planned, Requests};
use crate::slow;

/// The body of every so many-th answer is read in full.
const SAMPLED: usize = 100;

type Client<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Runs the clients of a load until `ended` says so and their last requests are answered.
pub async fn run_clients(
    requests: &Requests,
    load: &Load,
    service: &Processes,
    ended: &dyn Fn() -> bool,
) -> Outcome {
    let phase = Phase {
        requests,
        load,
        outcome: RefCell::default(),
        ended,
    };
    {
        let mut clients: FuturesUnordered<Client<'_>> = FuturesUnordered::new();
        for client in 0..load.connections {
            clients.push(Box::pin(fast_client(&phase, client)));
        }
        for client in 0..load.slow {
            clients.push(Box::pin(slow::client(&phase, client)));
        }
        clients.push(Box::pin(async {
            while !ended() {
                phase.outcome.borrow_mut().memory.push(service.memory());
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }));
        while clients.next().await.is_some() {}
    }
    phase.outcome.into_inner()
}

async fn fast_client(phase: &Phase<'_>, client: usize) {
    let mut random = Rng::with_seed(client as u64);
    let mut request = Vec::new();
    let mut connection = None;
    let mut count = 0;
    while !(phase.ended)() {
        let place = (client, phase.load.connections);
        let planned = phase
            .requests
            .next(phase.load.mix, &mut random, place, &mut request);
        count += 1;
        let sampled = count % SAMPLED == 1;
        let started = Instant::now();
        let answered = exchange(
            phase,
            client,
            &mut connection,
            &request,
            (&planned, sampled),
        )
        .await;
        let micros = started.elapsed().as_micros();
        phase.requests.changed(&planned, answered.is_ok());
        let mut outcome = phase.outcome.borrow_mut();
        match answered {
            Ok(bytes) => outcome.answered(planned.kind, micros, bytes),
            Err(problem) => {
                outcome.failed(problem);
                connection = None;
            }
        }
    }
}

/// Returns the size of the response, or what is wrong.
async fn exchange(
    phase: &Phase<'_>,
    client: usize,
    connection: &mut Option<Connection>,
    request: &[u8],
    (planned, sampled): (&Planned, bool),
) -> Result<usize, String> {
    let connection = match connection {
        Some(connection) => connection,
        None => {
            let opened = Connection::open(phase.load.address(client)).await;
            connection.insert(opened.map_err(|error| error.to_string())?)
        }
    };
    let response = connection.send(request).await;
    let response = response.map_err(|error| error.to_string())?;
    let kind = planned.kind.name();
    if response.status != 200 {
        return Err(format!("{kind} answered {}", response.status));
    }
    let body = response.body;
    if !(body.starts_with(b"{") && body.ends_with(b"}")) {
        return Err(format!("{kind} answered no JSON object"));
    }
    let problem = sampled
        .then(|| phase.requests.problem(planned, body))
        .flatten();
    problem.map_or(Ok(body.len()), Err)
}
