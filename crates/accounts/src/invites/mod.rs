//! Invitations, by which admins make other admins. Accepting one, and the other things that super-admins do to
//! accounts, is in `lifecycle/admins`.

mod actions;
mod audited;
mod dto;
mod handlers;
mod letter;
mod lookup;
mod queries;
mod state;

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_http::Routes;
use sqlx::PgConnection;
use uuid::Uuid;

pub use actions::{InviteError, ShownInvitation, invite_super_admin};
pub use letter::letter;
pub use lookup::{pending_invite, pending_invite_locked, shown_invitation};
pub use queries::{InviteRow, forget_of as forget_invites_of};
pub use state::{AdminRole, InviteStatus};

use crate::auth::idp;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::make_account)
        .service(handlers::invite_admin)
        .service(handlers::list_invites)
        .service(handlers::revoke_invite);
}

/// Revokes the invitations of a super-admin who is about to lose the role, with the accounts that were made with
/// them. `actor` is the person who takes the right away; `None` for the command line. There are at most as many rows
/// as one person invited within an invitation's life.
pub async fn revoke_invites_of(
    tx: &mut PgConnection,
    random: &Random,
    inviter: Uuid,
    actor: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let revoked = queries::revoke_pending_of(tx, inviter, now).await?;
    idp::withdraw_accounts(tx, &revoked).await?;
    for id in revoked {
        audited::revoked(tx, random, actor, id, now).await?;
    }
    Ok(())
}

/// Uses an invitation up for the account that it made or changed.
pub async fn accept_invite(
    tx: &mut PgConnection,
    random: &Random,
    invite: &InviteRow,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    queries::accept(tx, invite.id, user_id, now).await?;
    audited::accepted(tx, random, user_id, invite, now).await
}
