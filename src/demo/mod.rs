//! `roadcall demo`: the service, and a small city of simulated customers and mechanics in front of it.
//!
//! The people of the city use the public HTTP and WebSocket interface alone, as apps would: `api.rs` and `socket.rs`
//! are their apps, `customer.rs` and `mechanic.rs` what they do. `scenario.rs` reads who and where they are,
//! `dice.rs` draws their tempers from its seed, `walk.rs` and `phone.rs` move them. What they see goes through `city.rs` into
//! `tally.rs` (of money: `takings.rs`), and `board.rs` shows it. `show.rs` brings them together, `stage.rs` gives them a service to play at.

mod api;
pub mod board;
mod city;
mod customer;
mod dice;
mod mechanic;
mod phone;
mod purse;
mod scenario;
mod show;
mod socket;
mod stage;
mod takings;
mod tally;
pub(crate) mod walk;

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    time::Duration,
};

use roadcall_actors::clock::Clock;
use tokio::time::{interval, sleep};

pub use city::City;
pub use scenario::{BENGALURU, Scenario, ScenarioError};
pub use show::{Show, ShowError, Venue};
pub use stage::{LISTEN, StageError, admit};
pub use takings::Takings;
pub use tally::Tally;

use crate::platform::settings::Settings;
use board::Heading;
use stage::Stage;

/// How long open jobs are waited for at the end, and the gateway's word that they were paid.
const WIND_DOWN: Duration = Duration::from_secs(20);
const REDRAW: Duration = Duration::from_millis(500);
/// Where there is no terminal to redraw.
const STATUS_LINE: Duration = Duration::from_secs(5);

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    pub settings: Settings,
    pub scenario: Option<PathBuf>,
    /// Lines instead of a board, even in a terminal.
    pub headless: bool,
    /// Ends by itself after this.
    pub run_for: Option<Duration>,
    /// A service that runs already.
    pub url: Option<String>,
    /// Kept at the end; without one, a folder that is removed.
    pub data_dir: Option<PathBuf>,
}

/// Why the demo did not run.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error(transparent)]
    Stage(#[from] StageError),
    #[error(transparent)]
    Show(#[from] ShowError),
}

/// Whether the board is drawn, so that logs should keep out of its way.
pub fn draws(headless: bool) -> bool {
    !headless && io::stdout().is_terminal()
}

/// Plays until the time is over or `signals` yields; a second signal shortens the end.
pub async fn run<S: Future<Output = ()>>(
    options: Options,
    mut next_signal: impl FnMut() -> S,
) -> Result<(), DemoError> {
    let scenario = Scenario::load(options.scenario.as_deref())?;
    print("starting the service and signing everyone up …\n");
    let stage = match &options.url {
        Some(url) => Stage::at(url, &options.settings).await?,
        None => {
            Stage::own(options.settings.clone(), options.data_dir.as_deref(), scenario.time_scale).await?
        }
    };
    let show = tokio::select! {
        started = Show::start(scenario, &stage.venue, Clock::system()) => started,
        () = next_signal() => {
            stage.strike(next_signal()).await;
            return Ok(());
        }
    };
    let show = match show {
        Ok(show) => show,
        Err(error) => {
            stage.strike(next_signal()).await;
            return Err(error.into());
        }
    };
    let mut screen = Screen::new(&show, &stage.venue.base, draws(options.headless));
    let mut failure = None;
    tokio::select! {
        () = screen.show() => {}
        () = time_is_over(options.run_for) => {}
        () = next_signal() => {}
        error = stage.failed() => failure = Some(StageError::Start(error)),
    }
    if failure.is_none() {
        let wait_s = WIND_DOWN.as_secs();
        print(&format!("no further breakdowns; waiting up to {wait_s} s for open jobs and payments …\n"));
        screen.forget_drawing();
        tokio::select! {
            () = show.wind_down(sleep(WIND_DOWN)) => {}
            () = next_signal() => {}
            () = screen.show() => {}
        }
    }
    let (city, time_scale) = (show.city.clone(), show.city.scenario.time_scale);
    let tally = show.end().await;
    print(&format!("{}\n", board::summary(&tally, time_scale, city.now())));
    if let Some(proof) = stage.audit().await {
        print(&format!("  {}\n", board::proof(proof)));
    }
    stage.strike(next_signal()).await;
    failure.map_or(Ok(()), |error| Err(error.into()))
}

async fn time_is_over(after: Option<Duration>) {
    match after {
        Some(time) => sleep(time).await,
        None => std::future::pending().await,
    }
}

/// Where the board goes.
struct Screen {
    city: std::sync::Arc<City>,
    heading: Heading,
    draws: bool,
    /// Lines of the board that stand on the screen and are drawn over.
    drawn: usize,
    /// The last event that was printed.
    printed: u64,
}

impl Screen {
    fn new(show: &Show, base: &str, draws: bool) -> Self {
        let scenario = &show.city.scenario;
        let heading = Heading {
            title: scenario.title.clone(),
            base: base.to_owned(),
            time_scale: scenario.time_scale,
            phone: show.phone.clone(),
        };
        Self { city: show.city.clone(), heading, draws, drawn: 0, printed: 0 }
    }

    /// Shows how it stands until it is dropped.
    async fn show(&mut self) {
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
        let lines = board::board(&self.heading, &self.city.tally(), self.city.now());
        // To the first line of the last drawing, and clear from there to the end.
        let back = if self.drawn > 0 { format!("\x1b[{}F\x1b[J", self.drawn) } else { String::new() };
        self.drawn = lines.len();
        print(&format!("{back}{}\n", lines.join("\n")));
    }

    /// What was drawn stays; the next drawing comes below it.
    fn forget_drawing(&mut self) {
        self.drawn = 0;
    }

    fn print_news(&mut self) {
        let tally = self.city.tally();
        let mut lines = board::events_since(&tally, self.printed);
        self.printed = tally.events.back().map_or(self.printed, |event| event.number);
        lines.push(board::status_line(&tally, self.city.now()));
        print(&format!("{}\n", lines.join("\n")));
    }
}

/// A pipe that was closed ends the reading, not the demo.
fn print(text: &str) {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).ok();
}
