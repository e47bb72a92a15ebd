//! 400 random schedules: two screens decide on the leads of one list while an import adds leads, leads are deleted, and the
//! service is killed. Requests, reads and events take any time. In the end both screens show what the server has, without a
//! reload, and marks and conflicts are only of what the other did.

use fastrand::Rng;

use self::screen::ListScreen;
use self::server::Server;

mod screen;
mod server;

const SCHEDULES: u64 = 400;
const STEPS: u64 = 250;

struct Afternoon {
    random: Rng,
    server: Server,
    screens: [ListScreen; 2],
}

impl Afternoon {
    fn new(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let server = Server::new(&mut random);
        let mut screens = [0, 1].map(|number| ListScreen::new(number, &server));
        for screen in &mut screens {
            screen.connect(&server);
        }
        Self {
            random,
            server,
            screens,
        }
    }

    fn step(&mut self) {
        let Self {
            random,
            server,
            screens,
        } = self;
        let screen = &mut screens[random.usize(..2)];
        match random.u64(..40) {
            0..8 => screen.decide(random),
            8..13 => screen.send(),
            13..16 => screen.arrive(server, random),
            16..18 => screen.answer(server, random),
            18..23 => screen.scroll(random),
            23..27 => {
                screen.serve_read(server, random);
            }
            27..31 => {
                screen.take_read(random);
            }
            31..35 => {
                screen.take_event(server, random);
            }
            35 => screen.reread(server),
            36 => {
                screen.disconnect();
                screen.connect(server);
            }
            37 => server.import(random),
            38 => server.delete(random),
            _ if random.u64(..8) == 0 => {
                server.kill();
                for screen in screens {
                    screen.lose_connections(server, random);
                }
            }
            _ => screen.undo(),
        }
    }

    /// Nothing happens any more, and everything arrives.
    fn settle(&mut self) {
        let Self {
            random,
            server,
            screens,
        } = self;
        for screen in &mut *screens {
            screen.save_all(server);
        }
        for screen in &mut *screens {
            screen.connect(server);
            while screen.take_event(server, random) {}
            while screen.serve_read(server, random) || screen.take_read(random) {}
            screen.reread(server);
        }
    }
}

#[test]
fn both_screens_end_equal_to_the_server() {
    let (mut marks, mut conflicts, mut departed, mut reads_again) = (0, 0, 0, 0);
    for seed in 0..SCHEDULES {
        let mut afternoon = Afternoon::new(seed);
        for _ in 0..STEPS {
            afternoon.step();
        }
        afternoon.settle();
        let server = &afternoon.server;
        for screen in &mut afternoon.screens {
            screen.agrees_in_view(server, seed);
            screen.scroll_through(server);
            screen.agrees(server, seed);
            marks += screen.marks;
            screen.has_conflicts_of_others(server, seed);
            conflicts += screen.conflicts.len();
            departed += screen.departed;
            reads_again += screen.read_again;
            screen.show_news(server);
            screen.is_the_list(server, seed);
        }
    }
    // The schedules have what they are about.
    assert!(marks > 1_000, "{marks}");
    assert!(conflicts > 50, "{conflicts}");
    assert!(departed > 500, "{departed}");
    assert!(reads_again > 50, "{reads_again}");
}
