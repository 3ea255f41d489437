//! Extra work: approved or rejected by the partner, or by the clock as the contract says.

use roadcall_actors::{
    ids::{LineItemId, UserId},
    job::state::{Actor, ItemQuote},
};

use super::jobs::recorded;
use crate::{
    accounts::auth::PartnerCaller,
    jobs::{
        self, JobStep, LineItem,
        line_items::{self, ItemDecision},
        on_account::{self, DueApproval},
    },
    partners::{
        cases::{audited::CaseJobAction, owned::ItemOfCase, queries, showing::no_such_case},
        contracts::{self, ApprovalDefault},
        feeds::FeedsContext,
    },
    platform::error::ApiResult,
};

/// The most that one transaction, or one round, works on.
const AT_ONCE: i64 = 100;

/// Decides about extra work as it was shown. An approval is refused if the cover does not suffice for all of it: the person who is
/// helped would pay for the rest, so they decide.
pub async fn decide_item(
    context: &FeedsContext,
    caller: &PartnerCaller,
    step: JobStep,
    item: &ItemOfCase,
    (decision, quote): (ItemDecision, ItemQuote),
) -> ApiResult<LineItem> {
    let by = Actor::Partner(UserId(caller.account_id));
    let done = line_items::decide(context, step, item.id, by, (decision, quote));
    let again = async |_| line_items::current(context, item.job.row.id, item.id).await;
    let shown = jobs::once(context, step, done, again).await?;
    recorded(context, caller, shown.job_id, CaseJobAction::DecideItem(decision, &shown)).await;
    Ok(shown)
}

/// Decides extra work that nobody decided in time as the contract says. Returns how many items it decided: there may be more. An item
/// that fails keeps no other back, and work that exceeds the cover is left to the person who is helped.
pub async fn decide_due(context: &FeedsContext) -> ApiResult<u64> {
    let due = on_account::due_approvals(&context.db, context.clock.now(), AT_ONCE).await?;
    let (mut decided, mut failure) = (0, None);
    for approval in &due {
        match decide_by_contract(context, approval).await {
            Ok(()) => decided += 1,
            Err(error) => failure = Some(error),
        }
    }
    if decided > 0 {
        context.feeding.wake();
    }
    failure.map_or(Ok(decided), Err)
}

async fn decide_by_contract(context: &FeedsContext, due: &DueApproval) -> ApiResult<()> {
    let case = queries::find(&context.db, due.case_id).await?.ok_or_else(no_such_case)?;
    let contract = contracts::find(&context.db, case.contract_id).await?.ok_or_else(no_such_case)?;
    let (step, id) = (JobStep::from(due.job_id), LineItemId(due.line_item_id));
    let by = Actor::Partner(UserId(due.account_id));
    let quote = ItemQuote { version: due.version, total_paise: None };
    let decision = match contract.approval_default {
        ApprovalDefault::Approve => ItemDecision::Approve,
        ApprovalDefault::Reject => ItemDecision::Reject,
    };
    match line_items::decide(context, step, id, by, (decision, quote)).await {
        Ok(_) => Ok(()),
        Err(error) if error.code.status().is_server_error() => Err(error),
        // It was decided or changed meanwhile, the job is over, or the cover does not suffice.
        Err(_) => Ok(on_account::close_approval(&context.db, due.line_item_id, context.clock.now()).await?),
    }
}
