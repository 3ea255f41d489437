//! The registry against sessions that read, and against one that does not.

use std::time::Duration;

use chrono::DateTime;
use roadcall_actors::{
    geo::Point,
    ids::MechanicId,
    mechanic::state::{Fix, PositionSource},
    ports::{OfferStatus, Sighting},
    vehicle::VehicleType,
};
use tokio::sync::mpsc;

use super::*;

/// Makes a clock that stands still until a test sets it forward.
fn stopped() -> Clock {
    let clock = Clock::controlled(DateTime::UNIX_EPOCH);
    clock.stop();
    clock
}

/// Passes on the notices that it gets.
struct Reader(mpsc::UnboundedSender<Notice>);

impl Actor for Reader {
    type Context = Context<Self>;
}

impl Handler<Notice> for Reader {
    type Result = ();
    fn handle(&mut self, notice: Notice, _: &mut Self::Context) {
        self.0.send(notice).ok();
    }
}

/// Returns the address of a session that is never polled, like one whose peer reads nothing.
fn stuck() -> (Recipient<Notice>, impl Sized) {
    let ctx = Context::<Reader>::new();
    let recipient = ctx.address().recipient();
    let (sender, _) = mpsc::unbounded_channel();
    (recipient, ctx.into_future(Reader(sender)))
}

fn reader() -> (Recipient<Notice>, mpsc::UnboundedReceiver<Notice>) {
    let (sender, notices) = mpsc::unbounded_channel();
    (Reader(sender).start().recipient(), notices)
}

async fn next(notices: &mut mpsc::UnboundedReceiver<Notice>) -> Notice {
    let next = tokio::time::timeout(Duration::from_secs(10), notices.recv()).await;
    next.expect("a notice in time").expect("the reader runs")
}

fn sighting(job: JobId, seq: i64) -> Sighting {
    let at = DateTime::UNIX_EPOCH;
    let fix = Fix {
        point: Point::new(1.0, 2.0),
        seq,
        accuracy_m: None,
        speed_mps: None,
        heading: None,
        recorded_at: at,
        received_at: at,
        is_implausible: false,
        source: PositionSource::App,
    };
    Sighting { job_id: job, mechanic_id: MechanicId(Uuid::from_u128(9)), fix, estimate: None }
}

fn card(user: Uuid) -> OfferCard {
    OfferCard {
        id: roadcall_actors::ids::OfferId(Uuid::from_u128(1)),
        job_id: JobId(Uuid::from_u128(2)),
        mechanic_id: MechanicId(Uuid::from_u128(3)),
        mechanic_user: UserId(user),
        status: OfferStatus::Pending,
        round: 1,
        distance_m: 100,
        eta_s: 60,
        eta_source: roadcall_actors::eta::EtaSource::StraightLine,
        estimated_price_paise: 100,
        category: Uuid::from_u128(4),
        vehicle_type: VehicleType::FourWheeler,
        pickup: Point::new(1.0, 2.0),
        destination: None,
        summary: std::sync::Arc::default(),
        urgency: roadcall_actors::job::state::Urgency::Normal,
        created_at: DateTime::UNIX_EPOCH,
        expires_at: DateTime::UNIX_EPOCH,
    }
}

#[actix::test]
async fn permits_are_counted_per_user_and_in_total_and_given_back() {
    let hub = Hub::with_limits(2, 3, &stopped(), None);
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let first = hub.admit(one, 0).expect("a seat");
    let _second = hub.admit(one, 0).expect("a seat");
    assert_eq!(hub.admit(one, 0).err(), Some(SocketLimit::User));
    let _third = hub.admit(other, 0).expect("a seat");
    assert_eq!(hub.admit(other, 0).err(), Some(SocketLimit::Service));
    drop(first);
    assert_eq!(hub.sockets(), 2);
    hub.admit(one, 0).expect("the permit that was given back");
}

#[actix::test]
async fn a_watcher_is_woken_once_until_it_looks() {
    let hub = Hub::with_limits(2, 2, &stopped(), None);
    let (job, user) = (JobId(Uuid::from_u128(5)), Uuid::from_u128(1));
    let (to, mut notices) = reader();
    let mut permit = hub.admit(user, 0).expect("a seat");
    permit.open(to, None);
    let watch = permit.watch(job.0).expect("open");
    for seq in [3, 1, 2] {
        hub.announce(Announcement::JobChanged { job, seq });
        hub.announce(Announcement::Located(sighting(job, seq)));
    }
    assert!(matches!(next(&mut notices).await, Notice::JobMoved(moved) if moved == job.0));
    assert_eq!(watch.newest_seq(), 3, "an older word does not take it back");
    assert_eq!(watch.position().expect("a position").1.fix.seq, 2, "the latest wins");
    watch.look_again();
    hub.announce(Announcement::JobChanged { job, seq: 4 });
    assert!(matches!(next(&mut notices).await, Notice::JobMoved(_)));
    assert!(notices.try_recv().is_err(), "six words before were one wake");
}

#[actix::test]
async fn a_job_is_watched_while_a_socket_shows_its_positions_to_somebody_else() {
    let hub = Hub::with_limits(3, 3, &stopped(), None);
    let job = JobId(Uuid::from_u128(5));
    let mut permit = hub.admit(Uuid::from_u128(1), 0).expect("a seat");
    permit.open(reader().0, None);
    let _own = permit.watch(job.0).expect("open");
    assert!(hub.with_audience().is_empty(), "the mechanic's own socket is no audience");
    let customers = permit.watch(job.0).expect("open");
    customers.join_audience();
    assert_eq!(hub.with_audience(), [job.0]);
    drop(customers);
    assert!(hub.with_audience().is_empty());
}

#[actix::test]
async fn a_jobs_slot_is_removed_with_its_last_watcher() {
    let hub = Hub::with_limits(2, 2, &stopped(), None);
    let job = JobId(Uuid::from_u128(5));
    let mut permit = hub.admit(Uuid::from_u128(1), 0).expect("a seat");
    permit.open(reader().0, None);
    let (first, second) = (permit.watch(job.0), permit.watch(job.0));
    hub.announce(Announcement::Located(sighting(job, 1)));
    drop(first);
    assert_eq!(hub.watched_jobs(), 1);
    drop(second);
    assert_eq!(hub.watched_jobs(), 0);
    hub.announce(Announcement::Located(sighting(job, 2)));
    assert!(permit.watch(job.0).expect("open").position().is_none(), "nothing is kept for nobody");
}

#[actix::test]
async fn a_position_is_forgotten_when_its_mechanic_loses_the_job() {
    let hub = Hub::with_limits(2, 2, &stopped(), None);
    let (job, user) = (JobId(Uuid::from_u128(5)), Uuid::from_u128(1));
    let mut permit = hub.admit(user, 0).expect("a seat");
    permit.open(reader().0, None);
    let watch = permit.watch(job.0).expect("open");
    hub.announce(Announcement::Located(sighting(job, 1)));
    hub.announce(Announcement::Assigned { mechanic: UserId(user), job, is_on_it: false });
    assert!(watch.position().is_none());
}

#[actix::test]
async fn a_session_that_does_not_read_is_marked_and_its_mailbox_stays_bounded() {
    let hub = Hub::with_limits(2, 2, &stopped(), None);
    let user = Uuid::from_u128(1);
    let (to, _kept) = stuck();
    let mut permit = hub.admit(user, 0).expect("a seat");
    let connection = permit.open(to, None);
    for _ in 0..1_000 {
        hub.announce(Announcement::Rate { mechanic: UserId(user), interval_s: 3 });
    }
    assert!(!connection.is_lagging(), "what may be missed marks nobody");
    hub.announce(Announcement::Offer(card(user).into()));
    assert!(connection.is_lagging(), "an offer that found no room does");
    assert!(!connection.try_send(Notice::CheckConnection), "the mailbox takes no more");
}

#[actix::test]
async fn all_sessions_look_at_their_connection_when_the_service_stops() {
    let hub = Hub::with_limits(1, 2, &stopped(), None);
    let mut open = Vec::new();
    for user in 1..=2 {
        let mut permit = hub.admit(Uuid::from_u128(user), 0).expect("a seat");
        let (to, notices) = reader();
        permit.open(to, None);
        open.push((permit, notices));
    }
    hub.announce_stop();
    for (_, notices) in &mut open {
        assert!(matches!(next(notices).await, Notice::CheckConnection));
    }
}

#[actix::test]
async fn the_newest_socket_that_speaks_for_a_mechanic_stays() {
    let hub = Hub::with_limits(3, 3, &stopped(), None);
    let user = Uuid::from_u128(1);
    let open = |to| {
        let mut permit = hub.admit(user, 0).expect("a seat");
        let connection = permit.open(to, None);
        (permit, connection)
    };
    let (to, mut notices) = reader();
    let (older, older_line) = open(to);
    let (newer, newer_line) = open(reader().0);
    assert!(older.speak_for_mechanic());
    assert!(older.speak_for_mechanic(), "again is no change");
    assert!(newer.speak_for_mechanic());
    assert!(matches!(next(&mut notices).await, Notice::CheckConnection));
    assert!(older_line.is_replaced() && !newer_line.is_replaced());
    assert!(!older.speak_for_mechanic(), "the older one can't take it back");
    drop(newer);
    assert!(older.speak_for_mechanic(), "unless the newer has gone");
}

#[actix::test]
async fn the_newer_of_two_servers_sockets_speaks() {
    let (clock, user) = (stopped(), Uuid::from_u128(1));
    let hub = Hub::with_limits(2, 2, &clock, None);
    let mut permit = hub.admit(user, 0).expect("a seat");
    let connection = permit.open(reader().0, None);
    assert!(permit.speak_for_mechanic());
    clock.advance(Duration::from_secs(1));
    hub.speaks_elsewhere(user, Duration::from_millis(1_001));
    assert!(!connection.is_replaced(), "the other one is older");
    hub.speaks_elsewhere(user, Duration::from_secs(1));
    assert!(connection.is_replaced(), "of the same age, the one that spoke last");
}

#[actix::test]
async fn a_comparison_with_the_database_wakes_only_watchers_that_are_behind() {
    let hub = Hub::with_limits(2, 2, &stopped(), None);
    let job = Uuid::from_u128(9);
    let ((first, mut current), (second, mut behind)) = (reader(), reader());
    let (mut one, mut other) = (
        hub.admit(Uuid::from_u128(1), 0).expect("a seat"),
        hub.admit(Uuid::from_u128(2), 0).expect("a seat"),
    );
    one.open(first, None);
    other.open(second, None);
    let (up_to_date, late) = (one.watch(job).expect("open"), other.watch(job).expect("open"));
    up_to_date.has_sent(5);
    late.has_sent(4);
    assert_eq!(hub.watched(), [job]);
    assert_eq!(hub.catch_up(job, 5), 1);
    assert!(matches!(next(&mut behind).await, Notice::JobMoved(woken) if woken == job));
    assert_eq!((late.newest_seq(), late.reports()), (5, 1));
    assert!(current.try_recv().is_err());
    late.has_sent(5);
    assert_eq!(hub.catch_up(job, 5), 0, "nothing was missed");
    assert_eq!(hub.catch_up(Uuid::from_u128(10), 5), 0, "nobody watches it");
    assert_eq!(late.reports(), 1);
}

#[actix::test]
async fn a_change_reaches_a_persons_open_sockets_and_those_that_are_just_opening() {
    use crate::accounts::auth::OpenSockets;
    let hub = Hub::with_limits(4, 8, &stopped(), None);
    let (user, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let known_at = hub.changes();
    let (mut open, mut opening) =
        (hub.admit(user, known_at).expect("a seat"), hub.admit(user, known_at).expect("a seat"));
    let mut others = hub.admit(other, known_at).expect("a seat");
    let ((to, mut notices), (late_to, mut late_notices)) = (reader(), reader());
    let (others_to, mut others_notices) = reader();
    open.open(to, None);
    others.open(others_to, None);
    hub.changed(user);
    assert!(matches!(next(&mut notices).await, Notice::CheckSession));
    opening.open(late_to, None);
    assert!(matches!(next(&mut late_notices).await, Notice::CheckSession));
    hub.changed(other);
    assert!(matches!(next(&mut others_notices).await, Notice::CheckSession));
    assert!(notices.try_recv().is_err(), "it was about somebody else");
}
