//! Test runtime: a transport with scripted responses, and a clock that advances only when every task waits.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use lead_workspace::client::retry::MonotonicTime;
use lead_workspace::client::runtime::{Broadcast, Listener, Runtime, TabMessage, Task};
use lead_workspace::client::{
    Client, Config, Credentials, HttpRequest, HttpResponse, ResponseFuture, Transport,
    TransportError,
};

/// The key of every test client.
pub const KEY: &str = "lwk_0001_s3cret";

/// The transport's result for a request.
pub type Answer = Result<HttpResponse, TransportError>;

#[derive(Default)]
pub struct Wire {
    sent: Mutex<Vec<(Duration, HttpRequest)>>,
    answers: Mutex<VecDeque<(Duration, Answer)>>,
    /// The number of exchanges dropped before they ended.
    ended_early: Arc<Mutex<usize>>,
}

impl Transport for Wire {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        self.sent.lock().unwrap().push((clock_now(), request));
        let answer = self.answers.lock().unwrap().pop_front();
        let (wait, answer) = answer.expect("unexpected request");
        let counter = Arc::clone(&self.ended_early);
        Box::pin(async move {
            let mut open = Open(Some(counter));
            sleep(wait).await;
            open.0 = None;
            answer
        })
    }
}

struct Open(Option<Arc<Mutex<usize>>>);

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(counter) = &self.0 {
            *counter.lock().unwrap() += 1;
        }
    }
}

impl Wire {
    pub fn answering(answers: impl IntoIterator<Item = Answer>) -> Arc<Self> {
        Self::after(answers.into_iter().map(|answer| (Duration::ZERO, answer)))
    }

    /// Returns a transport with scripted responses, each after a delay.
    pub fn after(answers: impl IntoIterator<Item = (Duration, Answer)>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(answers.into_iter().collect()),
            ..Self::default()
        })
    }

    pub fn sent(&self) -> Vec<HttpRequest> {
        let sent = self.sent.lock().unwrap();
        sent.iter().map(|(_, request)| request.clone()).collect()
    }

    /// Returns the time at which each request was sent.
    pub fn times(&self) -> Vec<Duration> {
        self.sent
            .lock()
            .unwrap()
            .iter()
            .map(|(at, _)| *at)
            .collect()
    }

    pub fn ended_early(&self) -> usize {
        *self.ended_early.lock().unwrap()
    }

    /// Returns a client with a key that uses this transport.
    pub fn client(self: &Arc<Self>) -> Client {
        self.client_of(config())
    }

    pub fn client_of(self: &Arc<Self>, config: Config) -> Client {
        self.client_in(config, World::default())
    }

    pub fn client_in(self: &Arc<Self>, config: Config, world: World) -> Client {
        let wire: Arc<dyn Transport> = Arc::clone(self) as _;
        Client::with_runtime(config, wire, Rc::new(world))
    }
}

pub fn config() -> Config {
    let config = Config::new("https://workspace.example/").unwrap();
    config.with(Credentials::new(KEY).unwrap())
}

pub fn json(status: u16, body: &str) -> Answer {
    Ok(HttpResponse {
        status,
        content_type: Some("application/json".into()),
        body: body.as_bytes().to_vec(),
        ..HttpResponse::default()
    })
}

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static TIMERS: RefCell<Vec<(Duration, Waker)>> = const { RefCell::new(Vec::new()) };
    static TASKS: RefCell<Vec<Task>> = const { RefCell::new(Vec::new()) };
    static TABS: RefCell<Vec<(usize, String, Rc<Listener>)>> = const { RefCell::new(Vec::new()) };
}

pub fn clock_now() -> Duration {
    NOW.get()
}

/// A runtime in which time advances only in [`run`], and the random source returns a constant.
pub struct World {
    pub random: f64,
}

impl Default for World {
    fn default() -> Self {
        Self { random: 0.5 }
    }
}

impl Runtime for World {
    fn now(&self) -> MonotonicTime {
        clock_now()
    }

    fn sleep(&self, wait: Duration) -> Task {
        Box::pin(Sleep::until(clock_now() + wait))
    }

    fn random(&self) -> f64 {
        self.random
    }

    fn spawn(&self, task: Task) {
        TASKS.with_borrow_mut(|tasks| tasks.push(task));
    }

    fn broadcast(&self, workspace: &str, on_message: Listener) -> Option<Box<dyn Broadcast>> {
        thread_local!(static NEXT: Cell<usize> = const { Cell::new(0) });
        let id = NEXT.replace(NEXT.get() + 1);
        TABS.with_borrow_mut(|tabs| tabs.push((id, workspace.to_owned(), Rc::new(on_message))));
        Some(Box::new(Tab {
            id,
            workspace: workspace.to_owned(),
        }))
    }
}

struct Tab {
    id: usize,
    workspace: String,
}

impl Broadcast for Tab {
    fn post(&self, message: TabMessage) {
        let others: Vec<_> = TABS.with_borrow(|tabs| {
            let other =
                |tab: &&(usize, String, Rc<Listener>)| tab.0 != self.id && tab.1 == self.workspace;
            tabs.iter().filter(other).cloned().collect()
        });
        for (id, workspace, on_message) in others {
            if let Some(answer) = on_message(message) {
                Self { id, workspace }.answer(answer);
            }
        }
    }
}

impl Tab {
    /// Sends a message to all other tabs. Messages in reply are not replied to.
    fn answer(self, message: TabMessage) {
        let tabs: Vec<_> = TABS.with_borrow(|tabs| tabs.clone());
        for (id, workspace, on_message) in tabs {
            if id != self.id && workspace == self.workspace {
                on_message(message);
            }
        }
        // Skips the destructor: only dropping the tab's own channel may remove the tab.
        std::mem::forget(self);
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        TABS.with_borrow_mut(|tabs| tabs.retain(|(id, ..)| *id != self.id));
    }
}

struct Sleep {
    at: Duration,
    waker: Option<Waker>,
}

impl Sleep {
    fn until(at: Duration) -> Self {
        Self { at, waker: None }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if clock_now() >= self.at {
            return Poll::Ready(());
        }
        let (at, waker) = (self.at, context.waker());
        if !self
            .waker
            .as_ref()
            .is_some_and(|known| known.will_wake(waker))
        {
            self.waker = Some(waker.clone());
            TIMERS.with_borrow_mut(|timers| timers.push((at, waker.clone())));
        }
        Poll::Pending
    }
}

/// Completes after `wait` on the fake clock.
pub async fn sleep(wait: Duration) {
    if !wait.is_zero() {
        Sleep::until(clock_now() + wait).await;
    }
}

/// Runs a future to its end. The clock jumps to the next timer whenever every task waits.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        // Repeated because one task's progress may unblock another.
        for _ in 0..8 {
            let tasks = TASKS.take();
            for mut task in tasks {
                if task.as_mut().poll(&mut context).is_pending() {
                    TASKS.with_borrow_mut(|tasks| tasks.push(task));
                }
            }
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
        }
        let next = TIMERS.with_borrow(|timers| timers.iter().map(|(at, _)| *at).min());
        NOW.set(next.expect("deadlock: no timer is set"));
        // Wakes only the timers that are due, so that tests can count wake-ups.
        let is_due = |(at, _): &(Duration, Waker)| *at <= clock_now();
        let (due, later): (Vec<_>, Vec<_>) = TIMERS.take().into_iter().partition(is_due);
        TIMERS.set(later);
        for (_, waker) in due {
            waker.wake();
        }
    }
}

/// Runs a future. Returns its result and how long it took on the fake clock.
pub fn timed<T>(future: impl Future<Output = T>) -> (T, Duration) {
    let start = clock_now();
    let value = run(future);
    (value, clock_now() - start)
}

/// Runs a future that must not wait for anything but the retries of a call.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    run(future)
}
