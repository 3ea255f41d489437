//! Answers to clubs' offers in the audit log.

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries::ClubOfferRow;
use crate::{
    partners::club_offer::{ClubCommand, ClubStage},
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
    },
};

/// Records what a dispatcher did with an offer. Commands of clubs and of the time have no entry: the case's events have them.
pub async fn answered(
    tx: &mut PgConnection,
    core: &Core,
    admin: Uuid,
    (before, command): (ClubStage, ClubCommand),
    after: &ClubOfferRow,
) -> sqlx::Result<()> {
    let action = match command {
        ClubCommand::Accept { .. } => "club_offer.accept",
        ClubCommand::Refuse(_) => "club_offer.refuse",
        ClubCommand::AskForCall => "club_offer.ask_for_call",
        ClubCommand::Confirm { .. } | ClubCommand::Withdraw | ClubCommand::Expire => return Ok(()),
    };
    let entry = NewAuditEntry {
        actor_id: Some(admin),
        action,
        subject_kind: "partner_case",
        subject_id: after.id,
        before: json!({"stage": before}),
        after: json!({
            "stage": after.offer.stage, "eta_min": after.offer.eta_min, "reason": after.offer.refusal_reason,
            "organisation_id": after.organisation_id,
        }),
    };
    audit::record(tx, &core.random, core.clock.now(), entry).await
}
