//! A web server for tests: files from memory, and the ways in which servers misbehave.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How a path is answered.
#[derive(Debug, Clone)]
pub enum Answer {
    /// With these bytes.
    File(Arc<Vec<u8>>),
    /// With as many of the bytes, and then the end of the connection.
    CutShort(Arc<Vec<u8>>, usize),
    /// With as many of the bytes, and then silence.
    Stalls(Arc<Vec<u8>>, usize),
    /// With another place.
    Elsewhere(String),
    /// With this status.
    Status(u16),
}

/// Answers on a port of its own until it is dropped.
pub struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    stops: Arc<AtomicBool>,
}

impl Server {
    /// Begins to answer; other paths do not exist.
    pub fn start(answers: BTreeMap<String, Answer>) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        let server = Self { address, requests: Arc::default(), stops: Arc::default() };
        let (requests, stops, answers) = (server.requests.clone(), server.stops.clone(), Arc::new(answers));
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if stops.load(Ordering::Relaxed) {
                    return;
                }
                let (requests, stops, answers) = (requests.clone(), stops.clone(), answers.clone());
                // A client that goes away is no fault of the server.
                thread::spawn(move || drop(answer(&connection, &answers, &requests, &stops)));
            }
        });
        Ok(server)
    }

    /// Its URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The request lines so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until a request line holds this text.
    pub fn wait_for(&self, text: &str) -> Result<(), String> {
        for _ in 0..6000 {
            if self.requests().iter().any(|line| line.contains(text)) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err(format!("nobody asked for {text}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::Relaxed);
        // Wakes the listener up.
        let _ = TcpStream::connect(self.address);
    }
}

fn answer(
    mut connection: &TcpStream,
    answers: &BTreeMap<String, Answer>,
    requests: &Mutex<Vec<String>>,
    stops: &AtomicBool,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(connection).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = first.split(' ').nth(1).unwrap_or_default();
    let found = answers.get(path).cloned().unwrap_or(Answer::Status(404));
    requests.lock().unwrap_or_else(PoisonError::into_inner).push(first);
    let (status, header, body, length) = match &found {
        Answer::File(bytes) => (200, String::new(), &bytes[..], bytes.len()),
        Answer::CutShort(bytes, count) | Answer::Stalls(bytes, count) => {
            (200, String::new(), &bytes[..*count], bytes.len())
        }
        Answer::Elsewhere(place) => (302, format!("Location: {place}\r\n"), &b""[..], 0),
        Answer::Status(status) => (*status, String::new(), &b""[..], 0),
    };
    write!(
        connection,
        "HTTP/1.1 {status} .\r\n{header}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    connection.write_all(body)?;
    connection.flush()?;
    if matches!(found, Answer::Stalls(..)) {
        while !stops.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
        return Ok(());
    }
    connection.shutdown(std::net::Shutdown::Write)?;
    connection.take(1).read_to_end(&mut Vec::new()).map(drop)
}
