//! Cases that clubs offer.

use super::creating::{check_repeat, insert};
use crate::{
    accounts::auth::PartnerCaller,
    partners::{
        cases::{checks::CaseNames, dto::NewCase, queries::CaseRow},
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
    let names = CaseNames::find(context, caller, &new).await?;
    let (case, is_new) = match names.case(&context.db).await? {
        Some(case) => (case, false),
        None => {
            let (case, _, is_new) = insert(context, caller, new, digest, names, Some(offer)).await?;
            (case, is_new)
        }
    };
    check_repeat(&case, caller, &digest)?;
    Ok((case, is_new))
}
