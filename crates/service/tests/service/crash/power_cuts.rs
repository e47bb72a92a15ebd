//! The power fails at a random write, truncation, sync or deletion of a database file, and takes a
//! random part of what was not synced.

use fastrand::Rng;
use lead_workspace_service::store::Db;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use lead_workspace_power_cut::{Disk, Loss};

use super::Rounds;
use super::clients::Clients;
use super::folder::Folder;
use super::server::Local;

const LEADS: u64 = 60;
const CLIENTS: usize = 3;

/// Writes before the service stops by itself, if the power lasts.
const WRITES: u64 = 60;

/// The power lasts for at most so many operations of the disk, in turn: those of a start, of writes, and of many checkpoints.
const LONGEST: [u64; 3] = [14, 400, 4000];

/// Changes how the connection that writes is set up.
const FREQUENT_CHECKPOINTS: &str = "PRAGMA wal_autocheckpoint = 30";

/// Ends the transaction of the change, because the setting has no effect inside of one.
const WITHOUT_SYNCS: &str = "COMMIT; PRAGMA synchronous = OFF; BEGIN IMMEDIATE; SAVEPOINT change";

struct Machine {
    folder: Folder,
    disk: Disk,
    clients: Clients,
    random: Rng,
    /// Number of cuts so far.
    round: usize,
    /// Run on the connection that writes, after the start.
    set_up: &'static str,
    cuts: Cuts,
}

/// Number of cuts at each time.
#[derive(Default)]
struct Cuts {
    start: usize,
    work: usize,
    stop: usize,
    afterwards: usize,
}

impl Machine {
    fn new(seed: u64, set_up: &'static str) -> Self {
        let folder = Folder::demo(LEADS);
        let clients = Clients::new(&folder, CLIENTS, seed);
        Self {
            disk: Disk::new(folder.path()).unwrap(),
            folder,
            clients,
            random: Rng::with_seed(seed),
            round: 0,
            set_up,
            cuts: Cuts::default(),
        }
    }

    /// Lets one operation of the disk fail before the power does. The service goes on meanwhile.
    fn fail_and_cut(&mut self, loss: Loss) {
        self.disk.fail_at(self.random.u64(1..=400));
        self.cut(loss);
    }

    /// Runs the service until the power fails, starts it again, and checks everything.
    fn cut(&mut self, loss: Loss) {
        let longest = LONGEST[self.round % LONGEST.len()];
        self.round += 1;
        self.disk.cut_after(self.random.u64(1..=longest));
        let mut time = &mut self.cuts.start;
        if let Ok(service) = Local::open(self.folder.path()) {
            let set_up = self.set_up;
            let change = move |db: Db<'_>| db.sqlite().execute_batch(set_up).map_err(Into::into);
            let _ = service.runtime.block_on(service.store.write(change));
            let writes = AtomicU64::new(0);
            self.clients.work(&service, || {
                !self.disk.is_off() && writes.fetch_add(1, Ordering::Relaxed) < WRITES
            });
            time = if self.disk.is_off() {
                &mut self.cuts.work
            } else {
                &mut self.cuts.stop
            };
        }
        if !self.disk.is_off() {
            time = &mut self.cuts.afterwards;
        }
        *time += 1;
        let random = &mut self.random;
        self.disk
            .restore(loss, &mut |end| random.u64(..end))
            .unwrap();
        let service = Local::open(self.folder.path()).unwrap();
        self.folder.check_after_restart(&mut self.clients, &service);
    }
}

#[test]
fn a_power_cut_loses_no_acknowledged_write() {
    let mut rounds = Rounds::new(16, 5000);
    let mut machine = Machine::new(1, FREQUENT_CHECKPOINTS);
    for round in rounds.by_ref() {
        let loss = Loss::ALL[round % 4];
        if round % 5 == 0 {
            machine.fail_and_cut(loss);
        } else {
            machine.cut(loss);
        }
    }
    let written = machine.clients.acknowledged();
    assert!(written > 0, "no write was acknowledged");
    let Cuts {
        start,
        work,
        stop,
        afterwards,
    } = machine.cuts;
    assert!(start > 0 && work > 0, "{start} {work}");
    rounds.report(&format!(
        "power cuts ({start} during the start, {work} during writes, {stop} during the stop, \
         {afterwards} after it), {written} acknowledged writes"
    ));
}

/// The test above can fail.
#[test]
fn a_power_cut_without_syncs_loses_writes() {
    let mut machine = Machine::new(2, WITHOUT_SYNCS);
    let lost = (0..20).any(|_| {
        let cut = AssertUnwindSafe(|| machine.cut(Loss::Everything));
        catch_unwind(cut).is_err()
    });
    assert!(lost, "the test does not notice lost writes");
}
