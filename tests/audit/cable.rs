//! A cable between cited and its database, which can be cut.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// What becomes of what is sent over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Whole,
    /// Connections stand, and nothing comes through.
    Silent,
    /// Connections are closed, and so are new ones.
    Cut,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    open: Mutex<Vec<TcpStream>>,
}

pub struct Cable {
    at: SocketAddr,
    shared: Arc<Shared>,
}

impl Cable {
    /// One that leads to the server of an address `postgres://…@HOST:PORT/…`; gives the address that leads through it, too.
    pub fn to(address: &str) -> (Cable, String) {
        let place = address.rsplit('@').next().unwrap().split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let (state, changed, open) = (Mutex::new(State::Whole), Condvar::new(), Mutex::default());
        let shared = Arc::new(Shared { state, changed, open });
        let (server, of_cable) = (place.clone(), Arc::clone(&shared));
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(&server) else { continue };
                if *of_cable.state.lock().unwrap() == State::Cut {
                    continue;
                }
                let both = [near.try_clone().unwrap(), far.try_clone().unwrap()];
                of_cable.open.lock().unwrap().extend(both);
                let (there, back) = (Arc::clone(&of_cable), Arc::clone(&of_cable));
                let (from, to) = (near.try_clone().unwrap(), far.try_clone().unwrap());
                std::thread::spawn(move || there.carry(from, to));
                std::thread::spawn(move || back.carry(far, near));
            }
        });
        let through = address.replace(&place, &at.to_string());
        (Cable { at, shared }, through)
    }

    pub fn cut(&self) {
        self.set(State::Cut);
        for stream in self.shared.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub fn silence(&self) {
        self.set(State::Silent);
    }

    pub fn mend(&self) {
        self.set(State::Whole);
    }

    fn set(&self, state: State) {
        *self.shared.state.lock().unwrap() = state;
        self.shared.changed.notify_all();
    }

    /// Where it begins.
    pub fn at(&self) -> SocketAddr {
        self.at
    }
}

impl Shared {
    fn carry(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = [0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let state = self.changed.wait_while(self.state.lock().unwrap(), |state| *state == State::Silent).unwrap();
            if *state == State::Cut {
                break;
            }
            drop(state);
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    }
}
