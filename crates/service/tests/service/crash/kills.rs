//! The service is killed at random moments, while several clients write.

use std::process::Command;
use std::thread;
use std::time::Duration;

use fastrand::Rng;

use super::Rounds;
use super::clients::Clients;
use super::folder::Folder;

const CLIENTS: usize = 4;

#[test]
fn a_kill_under_load_loses_nothing() {
    let folder = Folder::demo(400);
    let demo = ["--demo", "400"];
    let key = folder.start(&demo).key.clone();
    let mut clients = Clients::new(&folder, CLIENTS, 1);
    let mut random = Rng::with_seed(1);
    let mut rounds = Rounds::new(6, 1000);
    for _ in rounds.by_ref() {
        let service = folder.start(&demo);
        let alive = Duration::from_millis(random.u64(..600));
        let pid = service.child.id().to_string();
        let killer = thread::spawn(move || {
            thread::sleep(alive);
            let mut kill = Command::new("kill");
            assert!(kill.args(["-KILL", &pid]).status().unwrap().success());
        });
        clients.work(&service, || true);
        killer.join().unwrap();
        drop(service);

        let service = folder.start(&demo);
        assert_eq!(service.key, key, "the start key changed");
        folder.check_after_restart(&mut clients, &service);
    }
    let written = clients.acknowledged();
    assert!(written > 0, "no client got an answer");
    rounds.report(&format!("kills, {written} acknowledged writes"));
}
