//! Turns rows into the record that an operator reads.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use roadcall_actors::{job::state::Status, settings::SearchPolicy};
use uuid::Uuid;

use super::{
    dto::{
        CandidateOffer, DispatchCandidate, DispatchDecision, DispatchForesight, DispatchOffer,
        DispatchPolicy, DispatchReason, DispatchRecord, DispatchTerms, DispatchVerdict,
    },
    queries::{DecisionRow, KeptCandidate, KeptForesight, KeptTerms},
};
use crate::{jobs::JobRow, offers::JobOfferRow};

/// The rows of one job.
#[derive(Debug)]
pub struct Rows {
    /// The decisions in the order of their times.
    pub decisions: Vec<DecisionRow>,
    /// The offers, oldest first.
    pub offers: Vec<JobOfferRow>,
    /// First names by profile.
    pub names: HashMap<Uuid, String>,
}

/// Makes the record that is shown.
pub fn present(job: &JobRow, rows: &Rows, policy: &SearchPolicy) -> DispatchRecord {
    let is_dispatching = job.status == Status::Dispatching;
    let newest = rows.decisions.iter().map(|row| row.number).max().unwrap_or_default();
    let kept = i64::try_from(rows.decisions.len()).unwrap_or(i64::MAX);
    DispatchRecord {
        job_id: job.id,
        status: job.status,
        attempt: whole(job.attempt),
        round: is_dispatching.then(|| whole(job.round)),
        attempt_ends_at: job.attempt_ends_at.filter(|_| is_dispatching).map(Into::into),
        policy: shown_policy(policy),
        decisions: rows.decisions.iter().map(|row| rows.decision(row)).collect(),
        dropped_decisions: newest.saturating_sub(kept),
        offers: rows.offers.iter().map(|row| rows.offer(row)).collect(),
    }
}

fn whole(number: i32) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

fn shown_policy(policy: &SearchPolicy) -> DispatchPolicy {
    DispatchPolicy {
        version: policy.version,
        rings_km: policy.rings_m.iter().map(|metres| metres / 1000.0).collect(),
        round_widths: policy.round_widths.clone(),
        max_rounds: policy.max_rounds,
        offer_ttl_s: policy.offer_ttl.num_seconds(),
        attempt_ttl_s: policy.attempt_ttl.num_seconds(),
        urgent_first_round: policy.urgent_first_round,
        in_time_s: policy.in_time.num_seconds(),
        worth_s: policy.worth_s,
    }
}

impl Rows {
    fn decision(&self, row: &DecisionRow) -> DispatchDecision {
        DispatchDecision {
            number: row.number,
            attempt: whole(row.attempt),
            round: whole(row.round),
            at: row.at.into(),
            looks: row.looks,
            ring_km: row.ring_m / 1000.0,
            wanted: whole(row.wanted),
            priority_s: row.priority_s,
            competing_jobs: whole(row.competing_jobs),
            method: row.method,
            gap_s: row.gap_s,
            considered: row.considered.0.iter().map(|kept| self.candidate(row, kept)).collect(),
            omitted: whole(row.omitted),
        }
    }

    fn candidate(&self, row: &DecisionRow, kept: &KeptCandidate) -> DispatchCandidate {
        let offer = self.offer_after(row, kept).filter(|_| kept.verdict == DispatchVerdict::Offered);
        DispatchCandidate {
            mechanic_profile_id: kept.mechanic,
            name: self.names.get(&kept.mechanic).cloned(),
            distance_m: kept.distance_m,
            verdict: kept.verdict,
            reason: kept.reason,
            with_job_id: kept.with_job,
            terms: kept.terms.as_ref().map(shown_terms),
            note: kept.note(),
            offer: offer.map(|offer| CandidateOffer {
                id: offer.id,
                status: offer.status,
                settled_at: offer.settled_at.map(Into::into),
                decline_reason: offer.decline_reason.clone(),
            }),
        }
    }

    /// Returns the offer that a decision led to: the first in its round to the mechanic, before the same was decided again.
    fn offer_after(&self, row: &DecisionRow, kept: &KeptCandidate) -> Option<&JobOfferRow> {
        let until = self.decided_again_at(row, kept.mechanic);
        self.offers.iter().find(|offer| {
            offer.mechanic_profile_id == kept.mechanic
                && (offer.attempt, offer.round) == (row.attempt, row.round)
                && offer.created_at >= row.at
                && until.is_none_or(|until| offer.created_at < until)
        })
    }

    fn decided_again_at(&self, row: &DecisionRow, mechanic: Uuid) -> Option<DateTime<Utc>> {
        let is_offered = |other: &DecisionRow| {
            let mut considered = other.considered.0.iter();
            considered.any(|kept| kept.mechanic == mechanic && kept.verdict == DispatchVerdict::Offered)
        };
        let same_round = |other: &&DecisionRow| (other.attempt, other.round) == (row.attempt, row.round);
        let later = self.decisions.iter().filter(same_round).filter(|other| other.at > row.at);
        later.filter(|other| is_offered(other)).map(|other| other.at).min()
    }

    fn offer(&self, row: &JobOfferRow) -> DispatchOffer {
        DispatchOffer {
            id: row.id,
            mechanic_profile_id: row.mechanic_profile_id,
            name: self.names.get(&row.mechanic_profile_id).cloned(),
            attempt: whole(row.attempt),
            round: whole(row.round),
            status: row.status,
            distance_m: whole(row.distance_m),
            eta_s: whole(row.eta_s),
            cost_s: row.cost_s,
            decline_reason: row.decline_reason.clone(),
            created_at: row.created_at.into(),
            expires_at: row.expires_at.into(),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}

impl KeptCandidate {
    /// Returns the reason in one line, if numbers say more than its name.
    fn note(&self) -> Option<String> {
        let is_held = self.reason == Some(DispatchReason::HeldBack);
        let KeptForesight { busy_s, price_s, chance_permille, late_s, worth_s, .. } =
            self.terms.as_ref().filter(|_| is_held)?.foresight.as_ref()?;
        let [busy, price, worth] =
            [*busy_s, *price_s, worth_s - late_s].map(|seconds| (seconds as f64 / 60.0).round());
        let percent = chance_permille / 10;
        Some(format!(
            "The {busy} min of work are worth {price} min of pickup time elsewhere, and {worth} min here ({percent} % in time)"
        ))
    }
}

fn shown_terms(terms: &KeptTerms) -> DispatchTerms {
    let KeptTerms { eta_s, eta_source, refusal_s, idle_s, parked_s, foresight, cost_s } = terms.clone();
    let foresight = foresight.map(|kept| DispatchForesight {
        jobs_lost_per_hour: kept.price_per_hour_milli as f64 / 1000.0,
        jobs_lost_per_hour_at_first: kept.class_price_per_hour_milli.map(|milli| milli as f64 / 1000.0),
        busy_s: kept.busy_s,
        price_s: kept.price_s,
        chance_in_time_percent: kept.chance_permille as f64 / 10.0,
        late_s: kept.late_s,
        worth_s: kept.worth_s,
    });
    DispatchTerms { eta_s, eta_source, refusal_s, idle_s, parked_s, foresight, cost_s }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use roadcall_actors::{
        dispatcher::explain::{Method, Passed, Unfit},
        ids::JobId,
        ports::OfferStatus,
    };
    use sqlx::types::Json;

    use super::*;
    use crate::dispatch::dto::DispatchMethod;
    use crate::wire::Named;

    const RAVI: Uuid = Uuid::from_u128(1);
    const IMRAN: Uuid = Uuid::from_u128(2);

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn decision(second: i64, round: i32, offered: &[Uuid]) -> DecisionRow {
        let considered = offered.iter().map(|mechanic| KeptCandidate {
            mechanic: *mechanic,
            distance_m: 10,
            verdict: DispatchVerdict::Offered,
            reason: None,
            with_job: None,
            terms: None,
        });
        DecisionRow {
            number: second,
            attempt: 1,
            round,
            looks: 1,
            at: at(second),
            ring_m: 3000.0,
            wanted: 1,
            priority_s: 0,
            competing_jobs: 1,
            method: DispatchMethod::Alone,
            gap_s: None,
            considered: Json(considered.collect()),
            omitted: 0,
        }
    }

    fn offer(id: u128, second: i64, round: i32, mechanic: Uuid) -> JobOfferRow {
        JobOfferRow {
            id: Uuid::from_u128(id),
            mechanic_profile_id: mechanic,
            attempt: 1,
            round,
            status: Named(OfferStatus::Expired),
            distance_m: 10,
            eta_s: 10,
            cost_s: 10,
            decline_reason: None,
            created_at: at(second),
            expires_at: at(second + 20),
            settled_at: Some(at(second + 21)),
        }
    }

    #[test]
    fn each_decision_is_shown_only_with_the_offer_that_it_led_to() {
        let again = decision(30, 2, &[RAVI]);
        let decisions = vec![decision(10, 1, &[RAVI]), decision(25, 2, &[RAVI, IMRAN]), again];
        // Round 2 asked Ravi twice; Imran was chosen, but had become engaged before he was asked.
        let offers = vec![offer(91, 10, 1, RAVI), offer(92, 26, 2, RAVI), offer(93, 31, 2, RAVI)];
        let rows = Rows { decisions, offers, names: HashMap::from([(RAVI, "Ravi".to_owned())]) };
        let led_to = |row: &DecisionRow| {
            let shown = rows.decision(row).considered;
            shown.into_iter().map(|c| (c.name, c.offer.map(|offer| offer.id.as_u128()))).collect::<Vec<_>>()
        };
        let ravi = |offer| (Some("Ravi".to_owned()), Some(offer));
        assert_eq!(led_to(&rows.decisions[0]), [ravi(91)]);
        assert_eq!(led_to(&rows.decisions[1]), [ravi(92), (None, None)]);
        assert_eq!(led_to(&rows.decisions[2]), [ravi(93)]);
    }

    #[test]
    fn every_word_of_the_engine_exists_in_the_interface() {
        let job = JobId(Uuid::nil());
        let passed = [
            Passed::CostsMore,
            Passed::MatchedWith(job),
            Passed::KeptForOthers,
            Passed::NotReserved,
            Passed::HeldBack,
        ];
        let unfit = [
            Unfit::Engaged,
            Unfit::StalePosition,
            Unfit::VehicleType,
            Unfit::Category,
            Unfit::OutsideOwnRadius,
            Unfit::Excluded,
        ];
        let words = passed.map(Passed::as_str).into_iter().chain(unfit.map(Unfit::as_str));
        let known = words.map(|word| DispatchReason::parse(word).unwrap_or_else(|| panic!("{word}")));
        assert_eq!(known.collect::<Vec<_>>(), DispatchReason::ALL);
        let methods = [Method::Alone, Method::Exact, Method::Bounded { gap_s: 1 }, Method::Greedy];
        assert_eq!(
            methods.map(Method::as_str),
            [0, 1, 2, 3].map(|index| DispatchMethod::ALL[index].as_str())
        );
    }
}
