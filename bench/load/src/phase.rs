//! What the clients of a part of the load share.

use std::cell::RefCell;
use std::net::SocketAddr;

use crate::outcome::Outcome;
use crate::requests::{Mix, Requests};

/// How many clients there are, and what they do.
pub struct Load {
    /// Of the processes of the service, which clients use in turn.
    pub addresses: Vec<SocketAddr>,
    pub connections: usize,
    pub slow: usize,
    pub mix: Mix,
}

impl Load {
    pub fn address(&self, client: usize) -> SocketAddr {
        self.addresses[client % self.addresses.len()]
    }
}

/// What the clients of a phase share.
pub struct Phase<'a> {
    pub requests: &'a Requests,
    pub load: &'a Load,
    pub outcome: RefCell<Outcome>,
    pub ended: &'a dyn Fn() -> bool,
}
