//! Cases that clubs offer.

use super::creating::{check_repeat, insert};
use crate::{
    accounts::auth::PartnerCaller,
    partners::{
        cases::{
            dto::NewCase,
            queries::{self, CaseRow},
        },
        club_offer::ClubOffer,
        feeds::FeedsContext,
    },
    platform::error::ApiResult,
};

/// Makes a case that a club offers, without its job, and returns it with whether it is new: the same request with the same
/// reference finds the case that it made.
pub async fn offer(
    context: &FeedsContext,
    caller: &PartnerCaller,
    new: NewCase,
    digest: [u8; 32],
    offer: ClubOffer,
) -> ApiResult<(CaseRow, bool)> {
    let reference = new.partner_reference.0.clone();
    let known = queries::by_reference(&context.db, caller.organisation_id, &reference).await?;
    let (case, is_new) = match known {
        Some(case) => (case, false),
        None => {
            let (case, _, is_new) = insert(context, caller, new, digest, Some(offer)).await?;
            (case, is_new)
        }
    };
    check_repeat(&case, caller, &digest)?;
    Ok((case, is_new))
}
