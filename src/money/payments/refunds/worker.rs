//! Makes promised refunds at the gateway, and asks after those that are not finished.

use actix_web::web::Data;
use chrono::TimeDelta;

use super::queries::{self, Task};
use crate::{
    money::payments::{actions, context::PaymentsContext, state::RefundStatus},
    platform::{backoff::pause, error::ApiResult},
    providers::{
        ProviderError,
        gateway::{GatewayRefund, GatewayRefundStatus, NewGatewayRefund},
    },
};

/// The number of refunds that are taken at once; the rest is taken next.
const BATCH: i64 = 20;
/// The time for which no other server takes a refund that is being made, longer than the gateway's time limit.
const LEASE: TimeDelta = TimeDelta::seconds(60);

/// Runs until it is aborted.
pub async fn send_refunds(context: Data<PaymentsContext>) {
    loop {
        match make_due(&context).await {
            Ok(count) if count == BATCH as usize => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "refunds could not be sent; trying again"),
        }
        context.refund_wakeup.woken().await;
    }
}

async fn make_due(context: &PaymentsContext) -> ApiResult<usize> {
    let now = context.clock.now();
    let tasks = queries::claim_due(&context.db, now, now + LEASE, BATCH).await?;
    for task in &tasks {
        // A failure does not stop the others.
        if let Err(error) = make(context, task).await {
            error.log();
            tracing::warn!(refund.id = %task.id, %error, "a refund could not be sent; trying again");
            if let Err(error) = postpone(context, task, Some(error.to_string())).await {
                tracing::warn!(refund.id = %task.id, %error, "a refund could not be put off; it is tried again when its lease ends");
            }
        }
    }
    Ok(tasks.len())
}

/// Makes one refund. Its own id is the key of the request, so repeating the request makes no second refund.
async fn make(context: &PaymentsContext, task: &Task) -> ApiResult<()> {
    let answered = match task.status {
        RefundStatus::Pending => look_up(context, task).await,
        RefundStatus::Requested | RefundStatus::Failed | RefundStatus::Processed => {
            let new = NewGatewayRefund {
                refund_id: task.id,
                attempt_id: task.gateway_payment_id.clone(),
                amount_paise: task.amount_paise,
            };
            context.gateway.refund(&new).await.map(Some)
        }
    };
    let reported = match answered {
        Ok(Some(refund)) => GatewayRefund { refund_id: Some(task.id), ..refund },
        // The gateway does not show the refund yet.
        Ok(None) => return postpone(context, task, None).await,
        Err(ProviderError::Refused { code, description }) => {
            tracing::warn!(refund.id = %task.id, code, description, "the gateway refused a refund");
            GatewayRefund {
                id: format!("refused:{}", task.id),
                attempt_id: task.gateway_payment_id.clone(),
                amount_paise: task.amount_paise,
                currency: None,
                status: GatewayRefundStatus::Failed,
                refund_id: Some(task.id),
            }
        }
        Err(error @ (ProviderError::Unavailable(_) | ProviderError::Unknown(_))) => {
            return postpone(context, task, Some(error.to_string())).await;
        }
    };
    let after = actions::refunds::apply(context, &reported).await?;
    if reported.status == GatewayRefundStatus::Pending && task.status == RefundStatus::Pending {
        postpone(context, task, None).await?;
    }
    after.run(context).await;
    Ok(())
}

/// Looks the refund up at the gateway: ours by our id, one from the dashboard by the gateway's id.
async fn look_up(context: &PaymentsContext, task: &Task) -> Result<Option<GatewayRefund>, ProviderError> {
    let refunds = context.gateway.refunds_of(&task.gateway_payment_id).await?;
    Ok(refunds.into_iter().find(|refund| {
        refund.refund_id == Some(task.id) || task.gateway_refund_id.as_ref() == Some(&refund.id)
    }))
}

async fn postpone(context: &PaymentsContext, task: &Task, failure: Option<String>) -> ApiResult<()> {
    let next = context.clock.now() + pause(context.gateway_settings.inbox_retry_s, task.attempts);
    let failure = failure.map(|why| why.chars().take(500).collect::<String>());
    Ok(queries::postpone(&context.db, task.id, next, failure.as_deref()).await?)
}
