use serde_json::json;

use super::*;

const ACCEPT: ClubCommand = ClubCommand::Accept { eta_min: 35 };
const CONFIRM: ClubCommand = ClubCommand::Confirm { eta_min: 35 };
const REFUSE: ClubCommand = ClubCommand::Refuse(ClubRefusalReason::Terms);

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
}

fn waiting() -> ClubOffer {
    ClubOffer::new(serde_json::Value::Null, 90)
}

/// Returns the offer after these commands at the time 0, and its end.
fn after(commands: &[ClubCommand]) -> (ClubOffer, DateTime<Utc>) {
    commands.iter().fold((waiting(), at(90)), |(offer, until), command| {
        let stage = offer.decide(*command, until, at(0)).expect("allowed");
        offer.apply(*command, stage, until, at(0))
    })
}

/// Describes the outcome of a decision in a word or two.
fn outcome(decided: Result<ClubStage, ClubUnchanged>) -> &'static str {
    match decided {
        Ok(stage) => stage.as_str(),
        Err(ClubUnchanged::AlreadyDone) => "same",
        Err(ClubUnchanged::TooLate) => "late",
        Err(ClubUnchanged::Is(_)) => "is",
        Err(ClubUnchanged::OtherMinutes(_)) => "other",
        Err(ClubUnchanged::NothingDue) => "nothing",
    }
}

#[test]
fn every_command_at_every_stage_leads_somewhere_or_is_refused_by_name() {
    let commands = [
        ACCEPT,
        ClubCommand::Accept { eta_min: 20 },
        REFUSE,
        ClubCommand::Refuse(ClubRefusalReason::Other),
        ClubCommand::AskForCall,
        CONFIRM,
        ClubCommand::Confirm { eta_min: 20 },
        ClubCommand::Withdraw,
        ClubCommand::Expire,
    ];
    let call = ClubCommand::AskForCall;
    #[rustfmt::skip]
    let table = [
        // accept, with other minutes, refuse, for another reason, ask for a call, confirm, other minutes, withdraw, time
        (vec![], 89, ["accepted", "accepted", "refused", "refused", "call_asked", "is", "is", "withdrawn", "nothing"]),
        (vec![], 90, ["late", "late", "late", "late", "late", "late", "late", "late", "expired"]),
        (vec![call], 89, ["accepted", "accepted", "refused", "refused", "same", "is", "is", "withdrawn", "nothing"]),
        (vec![call], 90, ["late", "late", "late", "late", "late", "late", "late", "late", "expired"]),
        (vec![ACCEPT], 89, ["same", "is", "is", "is", "is", "confirmed", "other", "withdrawn", "nothing"]),
        (vec![call, ACCEPT], 90, ["late", "late", "late", "late", "late", "late", "late", "late", "expired"]),
        (vec![ACCEPT, CONFIRM], 89, ["is", "is", "is", "is", "is", "same", "is", "is", "nothing"]),
        (vec![ACCEPT, CONFIRM], 2_099, ["is", "is", "is", "is", "is", "same", "is", "is", "nothing"]),
        (vec![ACCEPT, CONFIRM], 2_100, ["is", "is", "is", "is", "is", "same", "is", "is", "expired"]),
        (vec![REFUSE], 900, ["is", "is", "same", "is", "is", "is", "is", "is", "nothing"]),
        (vec![ClubCommand::Withdraw], 900, ["is", "is", "is", "is", "is", "is", "is", "same", "nothing"]),
    ];
    for (before, now, expected) in table {
        let (offer, until) = after(&before);
        for (command, expected) in commands.iter().zip(expected) {
            let decided = offer.decide(*command, until, at(now));
            assert_eq!(outcome(decided), expected, "{command:?} after {before:?} at {now}");
        }
    }
}

#[test]
fn an_expired_offer_can_not_be_revived() {
    let (offer, until) = (waiting(), at(90));
    let stage = offer.decide(ClubCommand::Expire, until, at(90)).expect("due");
    let (expired, until) = offer.apply(ClubCommand::Expire, stage, until, at(90));
    for command in [ACCEPT, REFUSE, ClubCommand::AskForCall, CONFIRM, ClubCommand::Withdraw] {
        let decided = expired.decide(command, until, at(91));
        assert_eq!(decided, Err(ClubUnchanged::Is(ClubStage::Expired)), "{command:?}");
    }
    assert_eq!(expired.decide(ClubCommand::Expire, until, at(91)), Err(ClubUnchanged::NothingDue));
}

#[test]
fn an_answer_gives_the_other_side_its_own_time() {
    let (offer, until) = (waiting(), at(90));
    let (offer, until) = offer.apply(ClubCommand::AskForCall, ClubStage::CallAsked, until, at(60));
    assert_eq!((offer.call_asked_at, until), (Some(at(60)), at(150)));
    let (offer, until) = offer.apply(ACCEPT, ClubStage::Accepted, until, at(100));
    assert_eq!((offer.eta_min, offer.promised_at, until), (Some(35), Some(at(100 + 35 * 60)), at(190)));
    let (offer, until) = offer.apply(CONFIRM, ClubStage::Confirmed, until, at(120));
    assert_eq!((offer.stage, offer.promised_at, until), (ClubStage::Confirmed, Some(at(2200)), at(190)));
}

#[test]
fn the_reason_of_a_refusal_is_kept() {
    let (offer, _) = after(&[REFUSE]);
    assert_eq!(offer.refusal_reason, Some(ClubRefusalReason::Terms));
    let stored = serde_json::to_value(&offer).expect("json");
    assert_eq!((&stored["stage"], &stored["refusal_reason"]), (&json!("refused"), &json!("terms")));
    assert_eq!(serde_json::from_value::<ClubOffer>(stored).expect("an offer"), offer);
}
