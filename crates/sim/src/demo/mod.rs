//! `roadcall demo`: a small city of simulated customers and mechanics who use a service.
//!
//! They only use the public HTTP and WebSocket interface, as apps do: `api_client.rs`, `payment_client.rs` and `socket.rs` are
//! their apps, `customer/` and `mechanic/` their behaviour. `scenario.rs` says who and where they are, `phone.rs` moves
//! mechanics, `population.rs` signs everyone up and runs them. They report `news.rs` to `stats/` (money to `revenue.rs`), which
//! `board.rs` shows. The caller brings the service: `server.rs`; on one that runs already, without a board, `playing.rs`.

mod api_client;
mod board;
mod customer;
mod mechanic;
mod news;
mod payment_client;
mod phone;
mod picture;
mod playing;
mod population;
mod revenue;
mod scenario;
mod server;
mod shared;
mod socket;
mod stats;
#[cfg(test)]
mod tests;

use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
    time::Duration,
};

use roadcall_actors::clock::Clock;
use tokio::time::{interval, sleep};

pub use playing::{play_until, settle_customer, settle_mechanic};
pub use population::{Population, PopulationError, ServiceAccess};
pub use revenue::{Revenue, rupees};
pub use scenario::{BENGALURU, Scenario};
pub use server::Server;
pub use shared::Shared;
pub use stats::Stats;

use board::Heading;

/// How long the demo waits at the end for open jobs and for payments to be captured.
const WIND_DOWN: Duration = Duration::from_secs(20);
const REDRAW: Duration = Duration::from_millis(500);
/// The interval of status lines, for output without a terminal to redraw.
const STATUS_LINE: Duration = Duration::from_secs(5);

/// How to show the demo, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether lines are printed instead of a board, even in a terminal.
    pub headless: bool,
    /// The time after which the demo ends by itself.
    pub run_for: Option<Duration>,
}

/// The reason why the demo failed.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error(transparent)]
    Population(#[from] PopulationError),
    #[error("the service ended: {0}")]
    Server(String),
}

/// Returns whether a board is drawn, so that logs should be few.
pub fn draws(headless: bool) -> bool {
    !headless && io::stdout().is_terminal()
}

/// Runs until the time is over or `next_signal` ends; a second signal shortens the end. Stops the server in any case.
pub async fn run<S: Future<Output = ()>>(
    scenario: Scenario,
    server: impl Server,
    options: Options,
    mut next_signal: impl FnMut() -> S,
) -> Result<(), DemoError> {
    let started = tokio::select! {
        started = Population::start(scenario, server.access(), Clock::system()) => started.map(Some),
        () = next_signal() => Ok(None),
    };
    let result = match started {
        Ok(Some(population)) => play(population, &server, options, &mut next_signal).await,
        Ok(None) => Ok(()),
        Err(error) => Err(error.into()),
    };
    server.stop(next_signal()).await;
    result
}

async fn play<S: Future<Output = ()>>(
    population: Population,
    server: &impl Server,
    options: Options,
    next_signal: &mut impl FnMut() -> S,
) -> Result<(), DemoError> {
    let mut screen = Screen::new(&population, &server.access().base, draws(options.headless));
    let mut failure = None;
    tokio::select! {
        () = screen.run() => {}
        () = time_is_over(options.run_for) => {}
        () = next_signal() => {}
        error = server.failed() => failure = Some(DemoError::Server(error)),
    }
    if failure.is_none() {
        let wait_s = WIND_DOWN.as_secs();
        print(&format!("no further breakdowns; waiting up to {wait_s} s for open jobs and payments …\n"));
        screen.keep_drawing();
        tokio::select! {
            () = population.wind_down(sleep(WIND_DOWN)) => {}
            () = next_signal() => {}
            () = screen.run() => {}
        }
    }
    let shared = population.shared.clone();
    let stats = population.end().await;
    print(&format!("{}\n", board::summary(&stats, shared.now())));
    if let Some(line) = server.check_ledger().await {
        print(&format!("  {line}\n"));
    }
    failure.map_or(Ok(()), Err)
}

async fn time_is_over(after: Option<Duration>) {
    match after {
        Some(time) => sleep(time).await,
        None => std::future::pending().await,
    }
}

/// Prints the board or the log.
struct Screen {
    shared: Arc<Shared>,
    heading: Heading,
    draws: bool,
    /// Lines of the board on the screen, to be drawn over.
    drawn: usize,
    /// The last event that was printed.
    printed: u64,
}

impl Screen {
    fn new(population: &Population, base: &str, draws: bool) -> Self {
        let scenario = &population.shared.scenario;
        let heading =
            Heading { title: scenario.title.clone(), base: base.to_owned(), phone: population.phone.clone() };
        Self { shared: population.shared.clone(), heading, draws, drawn: 0, printed: 0 }
    }

    /// Keeps printing until it is dropped.
    async fn run(&mut self) {
        if self.draws {
            let mut tick = interval(REDRAW);
            loop {
                tick.tick().await;
                self.draw();
            }
        }
        if self.printed == 0 {
            print(&board::introduction(&self.heading));
        }
        let mut tick = interval(STATUS_LINE);
        loop {
            tick.tick().await;
            self.print_news();
        }
    }

    fn draw(&mut self) {
        let lines = board::board(&self.heading, &self.shared.stats(), self.shared.now());
        // This moves to the first line of the last drawing, and clears from there to the end.
        let back = if self.drawn > 0 { format!("\x1b[{}F\x1b[J", self.drawn) } else { String::new() };
        self.drawn = lines.len();
        print(&format!("{back}{}\n", lines.join("\n")));
    }

    /// Leaves the board as it is; the next board is drawn below it.
    fn keep_drawing(&mut self) {
        self.drawn = 0;
    }

    fn print_news(&mut self) {
        let stats = self.shared.stats();
        let mut lines = board::events_since(&stats, self.printed);
        self.printed = stats.events.back().map_or(self.printed, |event| event.number);
        lines.push(board::status_line(&stats, self.shared.now()));
        print(&format!("{}\n", lines.join("\n")));
    }
}

/// Prints the text. Errors are ignored: a reader that closes the pipe does not end the demo.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).ok();
}
