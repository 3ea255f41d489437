use super::*;

const CALLER: CallDevice = CallDevice { side: Side::Caller, session_id: Uuid::from_u128(1) };
const CALLERS_OTHER: CallDevice = CallDevice { side: Side::Caller, session_id: Uuid::from_u128(2) };
const CALLEE: CallDevice = CallDevice { side: Side::Callee, session_id: Uuid::from_u128(3) };
const CALLEES_OTHER: CallDevice = CallDevice { side: Side::Callee, session_id: Uuid::from_u128(4) };
const HOUR: TimeDelta = TimeDelta::seconds(3600);

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
}

fn ringing() -> CallStage {
    CallStage::Ringing { until: at(30) }
}

fn accepted() -> CallStage {
    CallStage::Accepted { callee_session_id: CALLEE.session_id, answered_at: at(5), until: at(5) + HOUR }
}

fn over(status: CallStatus) -> CallStage {
    CallStage::Over { status }
}

/// Describes the outcome of a decision in a word or two.
fn outcome(result: Result<CallEvent, CallRefusal>) -> &'static str {
    match result {
        Ok(CallEvent::Accepted { .. }) => "accepted",
        Ok(CallEvent::Over { status, .. }) => status.as_str(),
        Err(CallRefusal::AlreadyDone) => "same",
        Err(CallRefusal::NothingDue) => "nothing",
        Err(CallRefusal::NotCalled) => "not called",
        Err(CallRefusal::Elsewhere) => "elsewhere",
        Err(CallRefusal::Is(_)) => "is",
    }
}

#[test]
fn every_command_at_every_stage_is_allowed_or_refused_by_name() {
    let commands = [
        CallCommand::Accept(CALLEE),
        CallCommand::Accept(CALLEES_OTHER),
        CallCommand::Accept(CALLER),
        CallCommand::Reject(CALLEE),
        CallCommand::Reject(CALLER),
        CallCommand::HangUp(CALLER),
        CallCommand::HangUp(CALLEE),
        CallCommand::Expire,
        CallCommand::EndByJob(EndReason::JobOver),
    ];
    let same = "same";
    #[rustfmt::skip]
    let table = [
        // accept, on another device, by the caller, reject, by the caller, hang-up of the caller, of the callee, time, job
        (ringing(), at(29), ["accepted", "accepted", "not called", "rejected", "not called", "cancelled", "rejected", "nothing", "cancelled"]),
        (ringing(), at(30), ["is", "is", "not called", "rejected", "not called", "cancelled", "rejected", "missed", "cancelled"]),
        (accepted(), at(3604), [same, "elsewhere", "not called", "is", "not called", "ended", "ended", "nothing", "ended"]),
        (accepted(), at(3605), [same, "elsewhere", "not called", "is", "not called", "ended", "ended", "ended", "ended"]),
        (over(CallStatus::Rejected), at(40), ["is", "is", "not called", same, "not called", same, same, "nothing", "nothing"]),
        (over(CallStatus::Missed), at(40), ["is", "is", "not called", "is", "not called", same, same, "nothing", "nothing"]),
        (over(CallStatus::Cancelled), at(40), ["is", "is", "not called", "is", "not called", same, same, "nothing", "nothing"]),
        (over(CallStatus::Ended), at(40), ["is", "is", "not called", "is", "not called", same, same, "nothing", "nothing"]),
    ];
    for (stage, now, expected) in &table {
        for (command, expected) in commands.iter().zip(expected) {
            let decided = stage.decide(*command, HOUR, *now);
            assert_eq!(outcome(decided), *expected, "{command:?} at {now} of {stage:?}");
        }
    }
    for status in CallStatus::ALL {
        assert!(table.iter().any(|(stage, _, _)| stage.status() == *status), "{status} is forgotten");
    }
}

#[test]
fn every_event_leads_to_its_stage() {
    let answer = ringing().decide(CallCommand::Accept(CALLEE), HOUR, at(5)).expect("it rings");
    assert_eq!(ringing().apply(answer, at(5)), accepted());
    for (stage, command, status, reason) in [
        (ringing(), CallCommand::Expire, CallStatus::Missed, EndReason::NoAnswer),
        (ringing(), CallCommand::Reject(CALLEE), CallStatus::Rejected, EndReason::Declined),
        (ringing(), CallCommand::HangUp(CALLEE), CallStatus::Rejected, EndReason::Declined),
        (ringing(), CallCommand::HangUp(CALLER), CallStatus::Cancelled, EndReason::CallerHungUp),
        (
            ringing(),
            CallCommand::EndByJob(EndReason::Reassigned),
            CallStatus::Cancelled,
            EndReason::Reassigned,
        ),
        (accepted(), CallCommand::HangUp(CALLER), CallStatus::Ended, EndReason::CallerHungUp),
        (accepted(), CallCommand::HangUp(CALLEE), CallStatus::Ended, EndReason::CalleeHungUp),
        (accepted(), CallCommand::Expire, CallStatus::Ended, EndReason::MaxLength),
        (accepted(), CallCommand::EndByJob(EndReason::JobOver), CallStatus::Ended, EndReason::JobOver),
    ] {
        let event = stage.decide(command, HOUR, at(5) + HOUR).expect("allowed");
        assert_eq!(event, CallEvent::Over { status, reason }, "{command:?}");
        assert_eq!(stage.apply(event, at(5) + HOUR), over(status));
    }
}

#[test]
fn signals_go_between_the_two_talking_devices() {
    let caller = CALLER.session_id;
    let callee = CALLEE.session_id;
    for (stage, by, expected) in [
        (ringing(), CALLER, Ok(Route::EveryDevice)),
        (ringing(), CALLERS_OTHER, Err(CallRefusal::Elsewhere)),
        (ringing(), CALLEE, Err(CallRefusal::Is(CallStatus::Ringing))),
        (ringing(), CALLEES_OTHER, Err(CallRefusal::Is(CallStatus::Ringing))),
        (accepted(), CALLER, Ok(Route::Device(callee))),
        (accepted(), CALLERS_OTHER, Err(CallRefusal::Elsewhere)),
        (accepted(), CALLEE, Ok(Route::Device(caller))),
        (accepted(), CALLEES_OTHER, Err(CallRefusal::Elsewhere)),
        (over(CallStatus::Ended), CALLER, Err(CallRefusal::Is(CallStatus::Ended))),
        (over(CallStatus::Missed), CALLEE, Err(CallRefusal::Is(CallStatus::Missed))),
    ] {
        assert_eq!(stage.route(by, caller), expected, "{by:?} of {stage:?}");
    }
}
