use proptest::prelude::*;

use super::*;
use crate::ids::LineItemId;

const FIRST: LineItemId = LineItemId(Uuid::from_u128(501));

fn terms(kind: ItemKind, quantity: u32, unit_price_paise: i64) -> ItemTerms {
    ItemTerms { kind, description: "a tube".to_owned(), quantity, unit_price_paise, photo_url: None }
}

fn propose(by: MechanicId, id: LineItemId, terms: ItemTerms) -> Command {
    Command::Item(ItemCommand::Propose { mechanic_id: by, id, terms, destination: None, idempotency: None })
}

fn part(id: LineItemId, paise: i64) -> Command {
    propose(M, id, terms(ItemKind::Part, 1, paise))
}

fn discount(id: LineItemId, paise: i64) -> Command {
    propose(M, id, terms(ItemKind::Discount, 1, paise))
}

fn amend(by: MechanicId, unit_price_paise: i64) -> Command {
    let patch = ItemPatch { unit_price_paise: Some(unit_price_paise), ..ItemPatch::default() };
    Command::Item(ItemCommand::Amend { mechanic_id: by, id: FIRST, patch })
}

fn withdraw(by: MechanicId) -> Command {
    Command::Item(ItemCommand::Withdraw { mechanic_id: by, id: FIRST })
}

fn approve(id: LineItemId) -> Command {
    Command::Item(ItemCommand::Approve { id, quote: as_proposed(), on_account: false })
}

fn reject(id: LineItemId) -> Command {
    Command::Item(ItemCommand::Reject { id, quote: as_proposed(), on_account: false })
}

/// Returns the quote of an item that was not amended.
fn as_proposed() -> ItemQuote {
    ItemQuote { version: 1, total_paise: None }
}

fn nth(number: u128) -> LineItemId {
    LineItemId(Uuid::from_u128(600 + number))
}

fn with_item() -> Job {
    after(&in_progress(), part(FIRST, 10_000), at(400))
}

#[test]
fn items_are_proposed_and_decided_only_while_the_mechanic_is_at_the_vehicle() {
    let item = with_item().items[0].clone();
    let jobs = [
        pending(),
        dispatching(),
        accepted(),
        en_route(),
        arrived(),
        in_progress(),
        completed(),
        no_mechanic_found(),
        cancelled(),
        paid(),
        disputed(),
        resolved(),
    ];
    let statuses: BTreeSet<_> = jobs.iter().map(Job::status).collect();
    assert_eq!(statuses, Status::ALL.into(), "no status is forgotten");
    for job in jobs {
        let job = Job { items: vec![item.clone()], ..job };
        let at_work = matches!(job.status(), Status::Arrived | Status::InProgress);
        let is_known = job.assignment().is_some();
        for command in [part(nth(1), 100), amend(M, 900), withdraw(M)] {
            let expected = match (at_work, is_known) {
                (true, _) => None,
                (false, true) => Some("invalid"),
                (false, false) => Some("not_yours"),
            };
            let came = decide(&job, &command, at(500));
            match expected {
                None => assert!(came.is_ok(), "{command:?} in {:?}: {came:?}", job.status()),
                Some(why) => assert_eq!(outcome(came), why, "{command:?} in {:?}", job.status()),
            }
        }
        for command in [approve(FIRST), reject(FIRST)] {
            let came = decide(&job, &command, at(500));
            assert_eq!(came.is_ok(), at_work, "{command:?} in {:?}: {came:?}", job.status());
        }
    }
}

#[test]
fn an_item_belongs_to_its_mechanic_until_the_customer_has_decided() {
    let job = with_item();
    for command in [amend(OTHER, 900), withdraw(OTHER), propose(OTHER, nth(1), terms(ItemKind::Part, 1, 1))] {
        assert_eq!(decide(&job, &command, at(500)), Err(Refusal::NotYours), "{command:?}");
    }
    let amended = after(&job, amend(M, 900), at(410));
    assert_eq!((amended.items[0].terms.unit_price_paise, amended.items[0].updated_at), (900, at(410)));
    assert_eq!(amended.items[0].created_at, at(400));
    assert_eq!(decide(&amended, &amend(M, 900), at(420)), Err(Refusal::AlreadyDone), "nothing would change");
    assert_eq!(after(&job, withdraw(M), at(410)).items, []);
    for (decided, again, other) in [
        (after(&job, approve(FIRST), at(410)), approve(FIRST), reject(FIRST)),
        (after(&job, reject(FIRST), at(410)), reject(FIRST), approve(FIRST)),
    ] {
        let status = decided.items[0].status;
        for command in [amend(M, 900), withdraw(M), other] {
            assert_eq!(decide(&decided, &command, at(420)), Err(Refusal::ItemDecided(status)), "{command:?}");
        }
        assert_eq!(decide(&decided, &again, at(420)), Err(Refusal::AlreadyDone));
    }
    assert_eq!(decide(&job, &approve(nth(9)), at(500)), Err(Refusal::NoSuchItem));
}

#[test]
fn a_decision_applies_only_to_the_item_as_shown() {
    let quotes = |version, total_paise| {
        let quote = ItemQuote { version, total_paise };
        [
            ItemCommand::Approve { id: FIRST, quote, on_account: false },
            ItemCommand::Reject { id: FIRST, quote, on_account: false },
        ]
        .map(Command::Item)
    };
    let job = after(&with_item(), amend(M, 12_000), at(410));
    let changed = Refusal::ItemChanged { version: 2, total_paise: 12_000 };
    for (version, total_paise) in [(1, None), (1, Some(12_000)), (2, Some(10_000)), (3, None)] {
        for command in quotes(version, total_paise) {
            assert_eq!(decide(&job, &command, at(420)), Err(changed.clone()), "{command:?}");
        }
    }
    for (version, total_paise) in [(2, None), (2, Some(12_000))] {
        for command in quotes(version, total_paise) {
            assert!(decide(&job, &command, at(420)).is_ok(), "{command:?}");
        }
    }
}

#[test]
fn every_change_of_an_item_raises_its_version() {
    let mut job = with_item();
    assert_eq!(job.items[0].version, 1);
    job = after(&job, amend(M, 12_000), at(410));
    // Even back at the first price, it is a new version.
    job = after(&job, amend(M, 10_000), at(411));
    assert_eq!(job.items[0].version, 3);
    let quote = ItemQuote { version: 3, total_paise: None };
    for decision in [
        ItemCommand::Approve { id: FIRST, quote, on_account: false },
        ItemCommand::Reject { id: FIRST, quote, on_account: false },
    ] {
        assert_eq!(after(&job, Command::Item(decision), at(412)).items[0].version, 4);
    }
}

#[test]
fn only_approved_items_count_and_undecided_ones_keep_the_work_open() {
    let mut job = with_item();
    job = after(&job, propose(M, nth(1), terms(ItemKind::Labour, 3, 2_500)), at(401));
    job = after(&job, discount(nth(2), 1_000), at(402));
    assert_eq!(decide(&job, &complete(), at(500)), Err(Refusal::PendingApproval { undecided: 3 }));
    job = after(&job, approve(FIRST), at(403));
    job = after(&job, reject(nth(1)), at(404));
    assert_eq!(decide(&job, &complete(), at(500)), Err(Refusal::PendingApproval { undecided: 1 }));
    job = after(&job, approve(nth(2)), at(405));
    let done = after(&job, complete(), at(900));
    let price = done.completion().map(|completion| completion.final_price_paise);
    assert_eq!(price, Some(34_000 + 10_000 - 1_000));
    assert_eq!(done.items.len(), 3, "they stay to be looked at");
}

#[test]
fn discounts_never_bring_the_price_below_zero() {
    let job = in_progress();
    assert!(decide(&job, &discount(FIRST, 34_000), at(400)).is_ok());
    assert_eq!(decide(&job, &discount(FIRST, 34_001), at(400)), Err(Refusal::PriceOutOfRange));
    // A proposed part makes room for a larger discount, once the part is approved.
    let job = after(&job, part(nth(1), 6_000), at(400));
    let job = after(&job, discount(FIRST, 40_000), at(401));
    assert_eq!(decide(&job, &approve(FIRST), at(402)), Err(Refusal::DiscountTooLarge));
    assert_eq!(decide(&job, &amend(M, 40_001), at(402)), Err(Refusal::PriceOutOfRange));
    let job = after(&job, approve(nth(1)), at(402));
    assert_eq!(after(&job, approve(FIRST), at(403)).price_paise(), 0);
}

#[test]
fn amounts_have_a_limit_that_no_sum_reaches() {
    let job = in_progress();
    let propose = |quantity, paise| {
        decide(&job, &propose(M, FIRST, terms(ItemKind::Labour, quantity, paise)), at(400)).map(drop)
    };
    let room = MAX_PRICE_PAISE - 34_000;
    assert_eq!(propose(1, room), Ok(()));
    // Neither the former price of an amended item nor a rejected item is counted.
    let job_with_item = with_item();
    assert!(decide(&job_with_item, &amend(M, room), at(410)).is_ok());
    assert_eq!(decide(&job_with_item, &amend(M, room + 1), at(410)), Err(Refusal::PriceOutOfRange));
    assert_eq!(decide(&job_with_item, &part(nth(1), room), at(410)), Err(Refusal::PriceOutOfRange));
    let rejected = after(&job_with_item, reject(FIRST), at(410));
    assert!(decide(&rejected, &part(nth(1), room), at(420)).is_ok());
    for (quantity, paise) in [(1, room + 1), (2, room), (u32::MAX, i64::MAX), (0, 1), (1, 0), (1, -1)] {
        assert_eq!(propose(quantity, paise), Err(Refusal::PriceOutOfRange), "{quantity} at {paise}");
    }
}

#[test]
fn the_items_of_a_job_and_their_log_are_limited() {
    let mut job = in_progress();
    for number in 0..MAX_ITEMS {
        job = after(&job, part(nth(number as u128), 100), at(400 + number as i64));
    }
    assert_eq!(decide(&job, &part(FIRST, 100), at(500)), Err(Refusal::TooManyItems));
    assert!(decide(&job, &approve(nth(0)), at(500)).is_ok());
    let long = Job { seq: LAST_SEQ_OF_ITEMS, ..with_item() };
    for command in [part(nth(1), 100), amend(M, 900), withdraw(M)] {
        assert_eq!(decide(&long, &command, at(500)), Err(Refusal::TooManyItems), "{command:?}");
    }
    assert!(decide(&long, &approve(FIRST), at(500)).is_ok(), "what is proposed can always be decided");
}

#[test]
fn a_mechanic_who_loses_the_job_takes_their_items_along() {
    let mut job = after(&arrived(), part(FIRST, 10_000), at(310));
    job = after(&job, approve(FIRST), at(311));
    job = after(&job, part(nth(1), 500), at(312));
    for lost in [release(M), Command::Reassign { reason: "dark".to_owned() }] {
        let next = after(&job, lost, at(320));
        assert_eq!((next.items.len(), next.price_paise()), (0, 34_000));
    }
}

#[test]
fn a_command_names_its_item_and_the_log_names_the_change() {
    for command in [part(FIRST, 100), amend(M, 900), withdraw(M), approve(FIRST), reject(FIRST)] {
        let Command::Item(command) = command else { panic!("{command:?}") };
        assert_eq!(command.item(), FIRST, "{command:?}");
    }
    let kinds = ItemChange::ALL.map(ItemChange::kind);
    let names = ["proposed", "amended", "withdrawn", "approved", "rejected"];
    assert_eq!(kinds.map(str::to_owned), names.map(|name| format!("line_item_{name}")));
    assert!(kinds.into_iter().all(is_item_event));
    assert!(!["line_item", "payment", "accepted", ""].into_iter().any(is_item_event));
}

#[test]
fn the_same_proposal_again_is_the_same_item() {
    assert_eq!(decide(&with_item(), &part(FIRST, 10_000), at(500)), Err(Refusal::AlreadyDone));
}

fn any_command() -> impl Strategy<Value = Command> {
    let id = (0..6_u128).prop_map(nth);
    let kind = (0..ItemKind::ALL.len()).prop_map(|index| ItemKind::ALL[index]);
    let paise = prop_oneof![1..50_000_i64, Just(MAX_PRICE_PAISE), Just(i64::MAX), Just(0)];
    (id, kind, 1..4_u32, paise, 0..5_u8).prop_map(|(id, kind, quantity, paise, what)| match what {
        0 => propose(M, id, terms(kind, quantity, paise)),
        1 => {
            let patch = ItemPatch { kind: Some(kind), unit_price_paise: Some(paise), ..ItemPatch::default() };
            Command::Item(ItemCommand::Amend { mechanic_id: M, id, patch })
        }
        2 => Command::Item(ItemCommand::Withdraw { mechanic_id: M, id }),
        3 => approve(id),
        _ => reject(id),
    })
}

/// Returns the command, with a decision for the current item.
fn up_to_date(job: &Job, command: &Command) -> Command {
    let shown = |id: &LineItemId| {
        let item = job.items.iter().find(|item| item.id == *id);
        ItemQuote { version: item.map_or(1, |item| item.version), total_paise: None }
    };
    match command {
        Command::Item(ItemCommand::Approve { id, .. }) => {
            Command::Item(ItemCommand::Approve { id: *id, quote: shown(id), on_account: false })
        }
        Command::Item(ItemCommand::Reject { id, .. }) => {
            Command::Item(ItemCommand::Reject { id: *id, quote: shown(id), on_account: false })
        }
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn the_price_stays_valid_in_any_order(commands in prop::collection::vec(any_command(), 1..60)) {
        let mut job = in_progress();
        for (second, command) in (400..).zip(&commands) {
            let Ok(event) = decide(&job, &up_to_date(&job, command), at(second)) else { continue };
            let next = job.apply(&event, at(second));
            prop_assert_eq!((next.version, next.seq), (job.version + 1, job.seq + 1));
            prop_assert!((0..=MAX_PRICE_PAISE).contains(&next.price_paise()), "{}", next.price_paise());
            let order: Vec<_> = next.items.iter().map(|item| item.created_at).collect();
            prop_assert!(order.is_sorted());
            job = next;
        }
        let completed = decide(&job, &complete(), at(900));
        match completed {
            Ok(Event::Completed { final_price_paise, .. }) => {
                prop_assert_eq!(job.undecided(), 0);
                prop_assert_eq!(final_price_paise, job.price_paise());
            }
            other => prop_assert_eq!(other, Err(Refusal::PendingApproval { undecided: job.undecided() })),
        }
    }
}
