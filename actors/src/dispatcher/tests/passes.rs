//! What a pass costs:
//! `cargo test --release -p roadcall-actors --lib passes -- --ignored --nocapture`

use std::time::Instant;

use super::*;

const JOBS: u128 = 1_000;
const MECHANICS: u128 = 5_000;

/// Somewhere in a city of about 40 km across.
fn somewhere(n: u128) -> Point {
    let part = |salt: u128| ((n * 7_919 + salt) * 104_729 % 10_007) as f64 / 10_007.0 - 0.5;
    Point::new(CENTRE.lat + 0.36 * part(1), CENTRE.lng + 0.36 * part(5_003))
}

#[allow(clippy::disallowed_methods, reason = "it measures")]
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    println!("{what}: {:?}", start.elapsed());
    made
}

fn pass(picture: &mut Picture) -> usize {
    let open = timed("  look", || picture.look(&eta(), &shipped(), at(1)).open);
    let mut users = Users::default();
    open.iter().for_each(|job| users.add(job.candidates.iter().map(|candidate| candidate.mechanic_id)));
    let due = timed("  split", || Due::all(open, &shipped()));
    let decided = timed("  decide", || due.decide(&users, &shipped(), at(1)));
    println!("  {} decisions, {} contested", decided.decisions.len(), decided.contested.len());
    decided.decisions.len()
}

fn city(free: impl Fn(u128) -> bool) -> Picture {
    let mut picture = Picture::default();
    for n in 0..MECHANICS {
        picture.supply(mechanic(n), Some(View { is_free: free(n), ..view(somewhere(n)) }), at(0));
    }
    picture
}

fn demand(picture: &mut Picture, n: u128) {
    picture.demand(job(n), Some(Want { pickup: somewhere(n * 31 + 17), ..want() }), at(0));
}

#[test]
#[ignore = "prints how long passes take"]
fn passes_over_a_large_city() {
    for (what, free) in [("all", 1), ("one in a hundred", 100), ("none", u128::MAX)] {
        println!("{JOBS} jobs, {MECHANICS} mechanics, free: {what}");
        let mut picture = city(|n| n % free == free - 1);
        (0..JOBS).for_each(|n| demand(&mut picture, n));
        timed("a pass over everybody, as after a restart", || pass(&mut picture));
        let awake: Vec<JobId> = (0..JOBS).map(job).collect();
        awake.into_iter().for_each(|id| picture.propose(id));
        timed("another pass, when one more job speaks", || {
            demand(&mut picture, JOBS);
            pass(&mut picture)
        });
    }
    let mut picture = city(|_| false);
    (0..JOBS).for_each(|n| demand(&mut picture, n));
    pass(&mut picture);
    timed("1000 words of busy mechanics, while 1000 jobs are stuck", || {
        for n in 0..1_000 {
            picture.supply(mechanic(n), Some(View { is_free: false, ..view(somewhere(n)) }), at(1));
        }
    });
    let unfit = || View { vehicle_types: BTreeSet::new(), ..view(CENTRE) };
    timed("1000 words of free ones that fit nobody", || {
        for n in 0..1_000 {
            picture.supply(mechanic(n), Some(unfit()), at(1));
        }
    });
    timed("one that is freed, and the pass it makes", || {
        picture.supply(mechanic(1), Some(view(CENTRE)), at(1));
        pass(&mut picture)
    });
}
