//! A writer of log lines that never blocks and never fails: a bounded queue, and a thread that writes.
//!
//! A reader that stalls, a closed pipe or a full disk loses lines, which are counted, and stops nothing else.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;

/// Lines that may wait to be written: some 300 kB.
const QUEUE: usize = 1_024;

/// Hands lines to the thread that writes them. Each call of `write` is one line.
#[derive(Debug, Clone)]
pub struct LogWriter {
    lines: SyncSender<Vec<u8>>,
    pending: Arc<AtomicUsize>,
    lost: Counter,
}

impl LogWriter {
    /// Starts the thread that writes to `out`. Lines that cannot be written are counted in `lost`.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(mut out: impl Write + Send + 'static, lost: Counter) -> io::Result<Self> {
        let (lines, queue) = sync_channel::<Vec<u8>>(QUEUE);
        let writer = Self { lines, pending: Arc::default(), lost };
        let (pending, lost) = (Arc::clone(&writer.pending), writer.lost.clone());
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            for line in queue {
                if out.write_all(&line).is_err() {
                    lost.inc();
                }
                pending.fetch_sub(1, Ordering::Release);
            }
        })?;
        Ok(writer)
    }

    /// Waits until all lines so far have been written, at most for this long. Blocks.
    pub fn flush_blocking(&self, most: Duration) {
        let deadline = Instant::now() + most;
        while self.pending.load(Ordering::Acquire) > 0 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.pending.fetch_add(1, Ordering::Relaxed);
        if self.lines.try_send(line.to_vec()).is_err() {
            self.pending.fetch_sub(1, Ordering::Release);
            self.lost.inc();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Takes a write only when the test lets it.
    struct Gate(Receiver<()>, Arc<Mutex<Vec<u8>>>);

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            self.1.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stalled_output_loses_what_does_not_fit_in_the_queue() {
        let (open, gate) = channel();
        let (written, lost) = (Arc::default(), Counter::default());
        let mut writer = LogWriter::start(Gate(gate, Arc::clone(&written)), lost.clone()).unwrap();
        // One line is in the thread's hands as soon as it runs, and QUEUE wait.
        for _ in 0..QUEUE + 11 {
            writer.write_all(b"x").unwrap();
        }
        let before = lost.get();
        assert!((10..=11).contains(&before), "{before}");
        let started = Instant::now();
        writer.flush_blocking(Duration::from_millis(50));
        assert!(started.elapsed() >= Duration::from_millis(50), "{:?}", started.elapsed());
        for _ in 0..QUEUE + 11 {
            open.send(()).unwrap();
        }
        writer.flush_blocking(Duration::from_secs(10));
        assert_eq!(written.lock().unwrap().len() as u64 + before, QUEUE as u64 + 11);
        assert_eq!(lost.get(), before);
    }

    #[test]
    fn an_output_that_fails_loses_every_line() {
        let (open, gate) = channel();
        drop(open);
        let lost = Counter::default();
        let mut writer = LogWriter::start(Gate(gate, Arc::default()), lost.clone()).unwrap();
        for _ in 0..5 {
            writer.write_all(b"x").unwrap();
        }
        writer.flush_blocking(Duration::from_secs(10));
        assert_eq!(lost.get(), 5);
    }
}
