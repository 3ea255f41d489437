use proptest::prelude::*;

use super::*;
use crate::ids::LineItemId;

const FIRST: LineItemId = LineItemId(Uuid::from_u128(701));
const SECOND: LineItemId = LineItemId(Uuid::from_u128(702));
/// The estimate of a job in these tests, in paise.
const ESTIMATE: i64 = 34_000;

/// Returns a job that is being worked on, with two proposed parts.
fn job(on_account: Option<OnAccount>) -> Job {
    let mut job = in_progress();
    job.spec.on_account = on_account;
    let job = after(&job, part(FIRST, 10_000), at(400));
    after(&job, part(SECOND, 5_000), at(401))
}

fn covered(cover_paise: Option<i64>) -> Option<OnAccount> {
    Some(OnAccount { case_id: Uuid::from_u128(9), cover_paise })
}

fn part(id: LineItemId, unit_price_paise: i64) -> Command {
    let (kind, description) = (ItemKind::Part, "a tube".to_owned());
    let terms = ItemTerms { kind, description, quantity: 1, unit_price_paise, photo_url: None };
    Command::Item(ItemCommand::Propose { mechanic_id: M, id, terms, destination: None, idempotency: None })
}

fn approve(id: LineItemId, on_account: bool) -> Command {
    let quote = ItemQuote { version: 1, total_paise: None };
    Command::Item(ItemCommand::Approve { id, quote, on_account })
}

#[test]
fn the_side_that_approves_an_item_pays_for_it() {
    for (first, second, expected_paise) in [
        (true, true, ESTIMATE + 15_000),
        (true, false, ESTIMATE + 10_000),
        (false, true, ESTIMATE + 5_000),
        (false, false, ESTIMATE),
    ] {
        let approved = after(&job(covered(None)), approve(FIRST, first), at(410));
        let approved = after(&approved, approve(SECOND, second), at(411));
        assert_eq!(approved.price_paise(), ESTIMATE + 15_000);
        assert_eq!(approved.account_paise(), expected_paise, "{first} {second}");
        assert_eq!(approved.extra_on_account_paise(), expected_paise - ESTIMATE, "{first} {second}");
        let are_on_account: Vec<bool> = approved.items.iter().map(|item| item.is_on_account).collect();
        assert_eq!(are_on_account, [first, second]);
    }
}

#[test]
fn an_organisation_approves_no_item_beyond_its_cover_and_the_driver_approves_any() {
    let job = job(covered(Some(ESTIMATE + 10_000)));
    let approved = after(&job, approve(FIRST, true), at(410));
    let refusal = decide(&approved, &approve(SECOND, true), at(411));
    assert_eq!(refusal, Err(Refusal::BeyondCover { left_paise: 0 }));
    let quote = ItemQuote { version: 1, total_paise: None };
    let reject = Command::Item(ItemCommand::Reject { id: SECOND, quote, on_account: true });
    let refusal = decide(&approved, &reject, at(411));
    assert_eq!(refusal, Err(Refusal::BeyondCover { left_paise: 0 }), "nor does it reject what the driver pays");
    let done = after(&approved, approve(SECOND, false), at(411));
    assert_eq!((done.price_paise(), done.account_paise()), (ESTIMATE + 15_000, ESTIMATE + 10_000));
}

#[test]
fn the_driver_decides_about_what_the_cover_leaves_open() {
    let awaiting = |job: &Job| job.items.iter().map(|item| job.awaits_driver(item)).collect::<Vec<_>>();
    let job_covered_by = |extra| job(covered(Some(ESTIMATE + extra)));
    assert_eq!(awaiting(&job_covered_by(15_000)), [false, false]);
    assert_eq!(awaiting(&job_covered_by(9_999)), [true, false]);
    assert_eq!(awaiting(&job_covered_by(-1)), [true, true]);
    assert_eq!(awaiting(&job(covered(None))), [false, false]);
    assert_eq!(awaiting(&job(None)), [false, false]);
    let approved = after(&job_covered_by(10_000), approve(FIRST, true), at(410));
    assert_eq!(awaiting(&approved), [false, true], "nothing of the cover is left");
    let done = after(&approved, approve(SECOND, false), at(411));
    assert_eq!(awaiting(&done), [false, false]);
}

#[test]
fn a_job_without_an_organisation_has_nothing_on_account() {
    let job = job(None);
    assert_eq!(decide(&job, &approve(FIRST, true), at(410)), Err(Refusal::BeyondCover { left_paise: 0 }));
    let approved = after(&job, approve(FIRST, false), at(410));
    assert_eq!(approved.account_paise(), 0);
}

#[test]
fn a_cover_below_the_estimate_leaves_the_rest_to_the_driver() {
    let job = job(covered(Some(20_000)));
    assert_eq!(job.account_paise(), 20_000);
    let refusal = decide(&job, &approve(SECOND, true), at(410));
    assert_eq!(refusal, Err(Refusal::BeyondCover { left_paise: 0 }));
}

#[test]
fn a_tow_that_did_not_happen_is_not_on_account() {
    let mut job = in_progress();
    job.spec.on_account = covered(None);
    job.spec.destination_price_paise = 6_000;
    assert_eq!(job.account_paise(), ESTIMATE + 6_000);
    let done = after(&job, complete(), at(900));
    assert_eq!((done.price_paise(), done.account_paise()), (ESTIMATE, ESTIMATE));
}

#[test]
fn items_on_account_go_with_their_mechanic() {
    let mut arrived = arrived();
    arrived.spec.on_account = covered(None);
    let approved = after(&after(&arrived, part(FIRST, 10_000), at(400)), approve(FIRST, true), at(410));
    assert_eq!(approved.account_paise(), ESTIMATE + 10_000);
    let released = after(&approved, Command::Reassign { reason: "too late".to_owned() }, at(420));
    assert_eq!(released.account_paise(), ESTIMATE);
    assert!(released.excluded.contains(&M), "the refused mechanic is not asked again");
}

proptest! {
    #[test]
    fn an_organisation_pays_neither_more_than_its_cover_nor_than_the_price(
        price in 0_i64..2_000_000, ordered in -50_000_i64..2_000_000, cover in prop::option::of(1_i64..2_000_000),
    ) {
        let account = OnAccount { case_id: Uuid::nil(), cover_paise: cover };
        let part = account.part_of(price, ordered);
        prop_assert!((0..=price).contains(&part));
        prop_assert!(part <= ordered.max(0) && cover.is_none_or(|cover| part <= cover));
    }
}
