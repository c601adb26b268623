//! A client that keeps its connection and sends one call after another.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A connection.
pub struct Connection {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Connection {
    /// Opens one.
    pub fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).expect("the service takes connections");
        stream.set_nodelay(true).expect("a setting of the socket");
        Connection { address, stream: BufReader::new(stream) }
    }

    /// Calls `verify_draft`; gives the status, 0 when the connection broke off, and how long the answer took.
    pub fn call(&mut self, body: &str) -> (u16, Duration) {
        let begun = Instant::now();
        let status = self.ask(body).unwrap_or_else(|_| {
            *self = Connection::open(self.address);
            0
        });
        (status, begun.elapsed())
    }

    fn ask(&mut self, body: &str) -> std::io::Result<u16> {
        let (address, length) = (self.address, body.len());
        let head = format!(
            "POST /v1/tools/verify_draft HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        self.stream.get_mut().write_all(head.as_bytes())?;
        self.stream.get_mut().write_all(body.as_bytes())?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end();
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.get(..3).and_then(|status| status.parse().ok()).unwrap_or(0);
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap_or(0);
            } else if line.is_empty() {
                break;
            }
        }
        std::io::copy(&mut (&mut self.stream).take(length), &mut std::io::sink())?;
        Ok(status)
    }
}
