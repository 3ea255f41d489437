//! The plan of one interleaving: a situation, the commands that run in it, and what fails meanwhile.

use std::time::Duration;

use roadcall_actors::{random::Random, simulation::Fault};

/// The number by which an interleaving identifies a job or a mechanic.
pub type Number = usize;

/// The situation in which the commands start.
#[derive(Debug, Clone)]
pub enum Situation {
    /// There is one job per entry, made one after another, each with this many live offers at once.
    Offered(Vec<u32>),
    /// The first mechanic who was asked has the job and has done this many steps; a second job may have live
    /// offers.
    Assigned { steps: u32, waiting: Option<u32> },
    /// The first mechanic who was asked lost the job on the way, because nothing came from their phone; another
    /// mechanic has a live offer of it.
    Lost,
}

/// One command. A mechanic without an offer of the job answers another mechanic's, or an offer of another job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The answer is stamped when it reaches the service, then on its way to the job for this many milliseconds.
    Accept {
        job: Number,
        mechanic: Number,
        lag_ms: u64,
    },
    Decline {
        job: Number,
        mechanic: Number,
    },
    Revoke {
        job: Number,
        mechanic: Number,
    },
    Assign {
        job: Number,
        mechanic: Number,
    },
    EnRoute {
        job: Number,
        mechanic: Number,
    },
    Release {
        job: Number,
        mechanic: Number,
    },
    /// Another app shows the way from now on, or the mechanic is back in this one.
    Navigate {
        job: Number,
        mechanic: Number,
        is_elsewhere: bool,
    },
    /// The watch finds that nothing comes from the mechanic's phone, and then that the job needs another mechanic.
    Silence {
        job: Number,
    },
    TakeBack {
        job: Number,
        mechanic: Number,
    },
    Reassign {
        job: Number,
    },
    Cancel {
        job: Number,
    },
    Retry {
        job: Number,
    },
    /// The customer moves the pickup a little.
    Move {
        job: Number,
    },
    /// One more job is created, for the vehicle of the first job or for another.
    Open {
        is_same_vehicle: bool,
    },
    Available {
        mechanic: Number,
        is_available: bool,
    },
    Refresh {
        job: Number,
    },
    StrikeJob {
        job: Number,
    },
    StrikeMechanic {
        mechanic: Number,
    },
    StrikeDispatcher,
    /// The process ends, and another one begins after this many milliseconds.
    Restart {
        down_ms: u64,
    },
    /// The journal is away for this many milliseconds.
    Away {
        for_ms: u64,
    },
    /// Nothing happens, and the offers' time runs out.
    Expire,
}

/// The time at which a command starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// This many milliseconds after the common start.
    After(u64),
    /// This many microseconds from the end of the first offer.
    Expiry(i64),
    /// This many microseconds from the end of its grace.
    Grace(i64),
}

/// One interleaving.
#[derive(Debug, Clone)]
pub struct Plan {
    pub situation: Situation,
    pub commands: Vec<(When, What)>,
    /// Whether each command waits for the answer to the one before.
    pub is_in_turn: bool,
    /// The limit below which the answers of the journal take any time.
    pub latency_ms: u64,
    /// The faults of the first commits, in order.
    pub faults: Vec<Fault>,
    /// The rates of faults of later commits, in 10 000.
    pub rates: Vec<(Fault, u32)>,
    /// Whether every search runs to its end before the jobs are ended.
    pub is_left_alone: bool,
}

impl Plan {
    /// Returns whether an actor dies or can't read the journal, so that only watchdogs bring everything back in
    /// line.
    pub fn is_deadly(&self) -> bool {
        let is_deadly = |what: &What| {
            matches!(
                what,
                What::StrikeJob { .. }
                    | What::StrikeMechanic { .. }
                    | What::StrikeDispatcher
                    | What::Restart { .. }
                    | What::Away { .. }
            )
        };
        self.faults().any(|fault| matches!(fault, Fault::Panic | Fault::PanicCommitted))
            || self.commands.iter().any(|(_, what)| is_deadly(what))
    }

    /// Returns the faults that commits may meet.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        self.faults.iter().copied().chain(self.rates.iter().map(|(fault, _)| *fault))
    }

    /// Returns a random plan for this many mechanics.
    pub fn random(dice: &Random, mechanics: usize) -> Self {
        let situation = situation(dice, mechanics);
        let jobs = match &situation {
            Situation::Offered(widths) => widths.len(),
            Situation::Assigned { waiting, .. } => 1 + usize::from(waiting.is_some()),
            Situation::Lost => 1,
        };
        let count = 2 + dice.below(5);
        let together = dice.below(4);
        let commands = (0..count).map(|_| {
            let what = command(dice, jobs, mechanics, &situation);
            (when(dice, together), what)
        });
        let commands = commands.collect();
        let latency_ms = [0, 0, 2, 6, 30, 150][dice.below(6) as usize];
        let (faults, rates) = match dice.below(10) {
            0..=3 => (Vec::new(), Vec::new()),
            4..=6 => ((0..1 + dice.below(3)).map(|_| fault(dice)).collect(), Vec::new()),
            _ => (Vec::new(), (0..2).map(|_| (fault(dice), 300 + dice.below(1_500))).collect()),
        };
        let (is_in_turn, is_left_alone) = (dice.below(12) == 0, dice.below(12) == 0);
        Self { situation, commands, is_in_turn, latency_ms, faults, rates, is_left_alone }
    }
}

fn situation(dice: &Random, mechanics: usize) -> Situation {
    let up_to = |most: usize| 1 + dice.below(most as u32);
    match dice.below(10) {
        0..=4 => Situation::Offered(vec![up_to(mechanics).max(2)]),
        5 => {
            let first = up_to(mechanics - 1);
            Situation::Offered(vec![first, up_to(mechanics - first as usize)])
        }
        6 => Situation::Lost,
        7 => Situation::Assigned { steps: dice.below(3), waiting: None },
        _ => Situation::Assigned { steps: dice.below(3), waiting: Some(up_to(mechanics - 1)) },
    }
}

fn when(dice: &Random, together: u32) -> When {
    let offset = [-1_000, -1, 0, 1, 1_000][dice.below(5) as usize];
    match (together, dice.below(8)) {
        // The commands are all at one instant, all within a few milliseconds, around the end of the offers, or at
        // any time.
        (0, _) => When::After(0),
        (1, _) => When::After(u64::from(dice.below(8))),
        (2, 0..=2) => When::Expiry(offset),
        (2, _) => When::Grace(offset),
        (_, 0..=4) => When::After(u64::from(dice.below(60))),
        (_, 5) => When::After(u64::from(dice.below(2_500))),
        (_, 6) => When::Expiry(offset),
        (_, _) => When::Grace(offset),
    }
}

fn command(dice: &Random, jobs: usize, mechanics: usize, situation: &Situation) -> What {
    let job = dice.below(jobs as u32) as usize;
    let mechanic = dice.below(mechanics as u32) as usize;
    let lag_ms = [0, 0, 0, 4, 50, 180][dice.below(6) as usize];
    let of_situation = match situation {
        Situation::Offered(_) => 0,
        Situation::Assigned { .. } => 32,
        Situation::Lost => 60,
    };
    match dice.below(100 + of_situation) {
        0..=34 => What::Accept { job, mechanic, lag_ms },
        35..=44 => What::Decline { job, mechanic },
        45..=54 => What::Cancel { job },
        55..=58 => What::Revoke { job, mechanic },
        59..=63 => What::Assign { job, mechanic },
        64..=68 => What::Release { job, mechanic },
        69..=71 => What::Reassign { job },
        72..=74 => What::EnRoute { job, mechanic },
        75 => What::Retry { job },
        76 => What::Move { job },
        77..=79 => What::Open { is_same_vehicle: dice.below(3) == 0 },
        80..=82 => What::Available { mechanic, is_available: dice.below(3) == 0 },
        83..=84 => What::Refresh { job },
        85..=87 => What::StrikeJob { job },
        88..=90 => What::StrikeMechanic { mechanic },
        91 => What::StrikeDispatcher,
        92..=94 => What::Restart { down_ms: u64::from(dice.below(40)) },
        95..=96 => What::Away { for_ms: u64::from(dice.below(400)) },
        97..=99 => What::Expire,
        // Only the job's own people act on a job that has or had a mechanic.
        100.. if matches!(situation, Situation::Lost) => {
            What::TakeBack { job: 0, mechanic: [0, 0, 0, mechanic][dice.below(4) as usize] }
        }
        100..=109 => What::Release { job: 0, mechanic: 0 },
        110..=113 => What::EnRoute { job: 0, mechanic: 0 },
        114..=116 => What::Cancel { job: 0 },
        117..=118 => What::Move { job: 0 },
        119..=128 => What::Navigate { job: 0, mechanic: 0, is_elsewhere: dice.below(3) > 0 },
        129..=130 => What::Silence { job: 0 },
        _ => What::Reassign { job: 0 },
    }
}

fn fault(dice: &Random) -> Fault {
    match dice.below(7) {
        0 => Fault::Failed,
        1 => Fault::UnknownCommitted,
        2 => Fault::UnknownNotCommitted,
        3 => Fault::UnknownCommittedLate(Duration::from_millis(u64::from(1 + dice.below(900)))),
        4 => Fault::Conflict,
        5 => Fault::Panic,
        _ => Fault::PanicCommitted,
    }
}

/// All commands and failures that may occur with two mechanics who have a live offer each.
const ALPHABET: [What; 12] = [
    What::Accept { job: 0, mechanic: 0, lag_ms: 0 },
    What::Accept { job: 0, mechanic: 1, lag_ms: 0 },
    What::Decline { job: 0, mechanic: 0 },
    What::Decline { job: 0, mechanic: 1 },
    What::Revoke { job: 0, mechanic: 0 },
    What::Assign { job: 0, mechanic: 1 },
    What::Release { job: 0, mechanic: 0 },
    What::Cancel { job: 0 },
    What::StrikeJob { job: 0 },
    What::StrikeMechanic { mechanic: 0 },
    What::Restart { down_ms: 1 },
    What::Expire,
];

/// All commands and failures that may occur when the first mechanic has lost the job and the second has a live
/// offer of it.
const ALPHABET_OF_LOST: [What; 9] = [
    What::TakeBack { job: 0, mechanic: 0 },
    What::TakeBack { job: 0, mechanic: 1 },
    What::Accept { job: 0, mechanic: 1, lag_ms: 0 },
    What::Assign { job: 0, mechanic: 1 },
    What::Cancel { job: 0 },
    What::Navigate { job: 0, mechanic: 0, is_elsewhere: true },
    What::Silence { job: 0 },
    What::StrikeJob { job: 0 },
    What::Restart { down_ms: 1 },
];

/// The ways in which the commands of an order follow one another: all at once, all at once on a slow journal, each
/// after the answer to the one before, and all at the last instant at which an offer can be accepted.
const PACES: [(When, u64, bool); 4] = [
    (When::After(0), 0, false),
    (When::After(0), 6, false),
    (When::After(0), 0, true),
    (When::Grace(0), 0, false),
];

/// Returns every order of every `length` different commands of each alphabet, at every pace, with every fault of
/// the first commit and with none.
pub fn every_order(length: usize, with_faults: bool) -> Vec<Plan> {
    let offered = orders(&Situation::Offered(vec![2]), &ALPHABET, length, with_faults);
    [offered, orders(&Situation::Lost, &ALPHABET_OF_LOST, length, with_faults)].concat()
}

fn orders(situation: &Situation, alphabet: &[What], length: usize, with_faults: bool) -> Vec<Plan> {
    let mut orders: Vec<Vec<What>> = vec![Vec::new()];
    for _ in 0..length {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                let rest: Vec<What> = alphabet.iter().copied().filter(|what| !order.contains(what)).collect();
                rest.into_iter().map(move |what| order.iter().copied().chain([what]).collect())
            })
            .collect();
    }
    let mut faults = vec![Vec::new()];
    if with_faults {
        let late = Fault::UnknownCommittedLate(Duration::from_millis(40));
        let each =
            [Fault::Failed, Fault::UnknownCommitted, Fault::UnknownNotCommitted, late, Fault::Conflict];
        faults.extend(each.into_iter().chain([Fault::Panic, Fault::PanicCommitted]).map(|fault| vec![fault]));
    }
    let mut plans = Vec::new();
    for order in &orders {
        for (when, latency_ms, is_in_turn) in PACES {
            plans.extend(faults.iter().map(|faults| Plan {
                situation: situation.clone(),
                commands: order.iter().map(|what| (when, *what)).collect(),
                is_in_turn,
                latency_ms,
                faults: faults.clone(),
                rates: Vec::new(),
                is_left_alone: false,
            }));
        }
    }
    plans
}
