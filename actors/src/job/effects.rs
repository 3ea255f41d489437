//! The actions of a job's actor after a commit, as data. Pure.

use chrono::{DateTime, Utc};

use super::state::{Assignment, Command, Event, Job, Refusal, Stage};
use crate::{
    experience::Lesson,
    ids::{JobId, MechanicId, OfferId, UserId},
    messages::{Demand, MechanicMessage},
    offer::{OFFERED_PICKUP_GRID_M, OfferCard},
    outbound::DispatchProgress,
    status::OfferStatus,
};

/// An action of the actor.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Effect {
    Notify(MechanicId, MechanicMessage),
    /// The job's log grew to this `seq`: watchers read on.
    ReportChange(i64),
    ReportProgress(DispatchProgress),
    Learn(Lesson),
    UpdateDemand(Option<Box<Demand>>),
    /// Replaces whatever was scheduled before.
    Schedule(Schedule),
    /// Ends the actor.
    Stop,
}

/// The time at which the actor acts by itself next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schedule {
    /// Something may be due then. `version` is the job's: if the job has another version by then, the wake-up is
    /// out of date.
    WakeAt {
        at: DateTime<Utc>,
        version: i64,
    },
    Never,
    /// The job is settled: the actor ends after a grace period without commands.
    EndAfterGracePeriod,
}

/// Returns what to do after `event` was committed and led to `job`. All of it repeats what the journal holds, so
/// [`announcement`] makes up for anything that is lost.
pub(super) fn after(event: &Event, job: &Job) -> Vec<Effect> {
    let mut effects = match event {
        Event::OffersMade { offers } => {
            let made = offers.iter().filter_map(|offer| offered(job, offer.id));
            made.chain(progress(job, offers.len())).collect()
        }
        Event::OfferDeclined { offer_id, mechanic_id, .. } => {
            vec![offer_ended(*offer_id, *mechanic_id, OfferStatus::Declined)]
        }
        Event::OfferRevoked { offer_id, mechanic_id } => {
            vec![offer_ended(*offer_id, *mechanic_id, OfferStatus::Revoked)]
        }
        Event::OffersExpired { offers } => offers_ended(offers, OfferStatus::Expired).collect(),
        Event::Accepted { assignment, revoked, .. } => {
            let accepted =
                assignment.offer_id.map(|id| offer_ended(id, assignment.mechanic_id, OfferStatus::Accepted));
            let revoked = offers_ended(revoked, OfferStatus::Revoked);
            accepted
                .into_iter()
                .chain(revoked)
                .chain(assigned(job))
                .chain([taken(job.id, assignment)])
                .collect()
        }
        Event::Arrived { .. } => assigned(job).into_iter().chain([Effect::Learn(job.ended())]).collect(),
        Event::HandedOver
        | Event::CameBack
        | Event::Delayed(_)
        | Event::Recovered { .. }
        | Event::Loaded { .. } => assigned(job).into_iter().collect(),
        Event::Corrected { summary, pickup, search, .. } => {
            let revoked =
                search.iter().flat_map(|search| offers_ended(&search.revoked, OfferStatus::Revoked));
            // Mechanics who hold an offer read the new description.
            let shown_again = summary.iter().flat_map(|_| live_offers(job));
            revoked.chain(pickup.and_then(|_| assigned(job))).chain(shown_again).collect()
        }
        Event::Released { mechanic_id, .. } => vec![unassigned(job, *mechanic_id)],
        Event::Completed { .. } => {
            job.work().map(Effect::Learn).into_iter().chain(last_unassigned(job)).collect()
        }
        Event::Began { .. } => vec![Effect::Learn(job.call())],
        Event::Cancelled { revoked, .. } => {
            let revoked = offers_ended(revoked, OfferStatus::Revoked);
            revoked.chain(last_unassigned(job)).chain([Effect::Learn(job.ended())]).collect()
        }
        Event::Created { .. }
        | Event::Exhausted { .. }
        | Event::Retried { .. }
        | Event::NoShowContested
        | Event::NoShowDecided { .. }
        | Event::WentEnRoute
        | Event::WrongCodeEntered { .. }
        | Event::Started
        | Event::ItemChanged { .. }
        | Event::PaymentChanged { .. }
        | Event::MessageSent { .. }
        | Event::CallChanged { .. }
        | Event::Paid
        | Event::Disputed
        | Event::Resolved => Vec::new(),
    };
    effects.extend(event.is_public().then_some(Effect::ReportChange(job.seq)));
    effects
}

/// Repeats what the journal holds to the mechanics concerned, whose actors may have restarted.
pub(super) fn announcement(job: &Job) -> Vec<Effect> {
    live_offers(job).chain(assigned(job)).collect()
}

/// Releases the reservations behind proposals that were not committed.
pub(super) fn undo_proposals(command: &Command, result: &Result<Option<Event>, Refusal>) -> Vec<Effect> {
    let (Command::Offer { proposals, .. }, Err(refusal)) = (command, result) else { return Vec::new() };
    // In these cases the journal knows, or may know, something that the mechanic's actor does not.
    let must_reload = matches!(refusal, Refusal::MechanicBusy | Refusal::OutcomeUnknown(_));
    let undone = proposals.iter().flat_map(|proposal| {
        let id = proposal.mechanic_id;
        let released = offer_ended(proposal.offer_id, id, OfferStatus::Revoked);
        [Some(released), must_reload.then_some(Effect::Notify(id, MechanicMessage::Reload))]
    });
    undone.flatten().collect()
}

fn live_offers(job: &Job) -> impl Iterator<Item = Effect> {
    job.live_offers().iter().filter_map(|offer| offered(job, offer.id))
}

fn offered(job: &Job, offer_id: OfferId) -> Option<Effect> {
    let offer = job.live_offers().iter().find(|offer| offer.id == offer_id)?;
    let card = OfferCard {
        id: offer.id,
        job_id: job.id,
        mechanic_id: offer.mechanic_id,
        // The mechanic's actor fills in the user, because a job does not know its mechanics' users.
        mechanic_user: UserId(uuid::Uuid::nil()),
        status: OfferStatus::Pending,
        round: offer.round,
        distance_m: offer.distance_m,
        eta_s: offer.eta_s,
        eta_source: offer.eta_source,
        estimated_price_paise: job.spec.estimated_price_paise(),
        category: job.spec.category_id.0,
        vehicle_type: job.spec.vehicle_type,
        pickup: job.spec.pickup.snapped(OFFERED_PICKUP_GRID_M),
        destination: job.spec.destination.as_ref().map(|destination| destination.offered()),
        urgency: job.spec.urgency,
        summary: job.spec.summary.clone(),
        created_at: offer.created_at,
        expires_at: offer.expires_at,
    };
    Some(Effect::Notify(offer.mechanic_id, MechanicMessage::Offered(Box::new(card))))
}

fn progress(job: &Job, mechanics_offered: usize) -> Option<Effect> {
    let farthest = job.live_offers().iter().map(|offer| f64::from(offer.distance_m)).reduce(f64::max)?;
    let rings = &job.spec.search.rings_m;
    Some(Effect::ReportProgress(DispatchProgress {
        job_id: job.id,
        customer: job.spec.customer_id,
        round: job.live_offers().last().map_or(0, |offer| offer.round),
        radius_m: rings.iter().copied().find(|ring| *ring >= farthest).unwrap_or(farthest),
        mechanics_offered: u32::try_from(mechanics_offered).unwrap_or(u32::MAX),
    }))
}

fn assigned(job: &Job) -> Option<Effect> {
    let (assignment, duty) = (job.assignment()?, job.duty()?);
    let is_arrived = matches!(job.stage, Stage::Arrived(_) | Stage::InProgress(_));
    let (job_id, pickup, delivers_to) = (job.id, job.spec.pickup, job.delivers_to());
    let message = MechanicMessage::Assigned { job_id, pickup, is_arrived, delivers_to, duty };
    Some(Effect::Notify(assignment.mechanic_id, message))
}

fn unassigned(job: &Job, mechanic_id: MechanicId) -> Effect {
    Effect::Notify(mechanic_id, MechanicMessage::Unassigned { job_id: job.id })
}

fn last_unassigned(job: &Job) -> impl Iterator<Item = Effect> {
    job.assignment().map(|assignment| unassigned(job, assignment.mechanic_id)).into_iter()
}

fn offers_ended(offers: &[(OfferId, MechanicId)], status: OfferStatus) -> impl Iterator<Item = Effect> {
    offers.iter().map(move |(offer_id, mechanic_id)| offer_ended(*offer_id, *mechanic_id, status))
}

fn taken(job_id: JobId, assignment: &Assignment) -> Effect {
    let Assignment { mechanic_id, accepted_at: at, .. } = *assignment;
    Effect::Learn(Lesson::Taken { job_id, mechanic_id, at })
}

fn offer_ended(offer_id: OfferId, mechanic_id: MechanicId, status: OfferStatus) -> Effect {
    Effect::Notify(mechanic_id, MechanicMessage::OfferEnded { offer_id, status })
}
