use serde_json::{Value, json};

use super::{
    MECHANIC, MONEY, OWN_MECHANIC, OWN_MECHANIC_OR_MONEY, Object, PARTICIPANT, Row, World, made, nothing,
    number, reason, row, vehicles::new_vehicle,
};
use crate::support::{
    bodies::id_of,
    money::{Earning, insert_earning, insert_settlement, insert_withdrawal, set_name_mismatch},
};

pub const ROWS: &[Row] = &[
    row("GET /wallet", MECHANIC),
    row("GET /wallet/transactions", MECHANIC),
    row("GET /wallet/upi", MECHANIC),
    row("POST /wallet/upi", MECHANIC).body(new_upi_account),
    row("GET /wallet/upi/{upiAccountId}", OWN_MECHANIC).of(UPI_ACCOUNT),
    row("POST /wallet/upi/{upiAccountId}/default", OWN_MECHANIC).of(UPI_ACCOUNT).body(nothing),
    row("POST /wallet/upi/{upiAccountId}/verify", OWN_MECHANIC).of(UPI_ACCOUNT).body(nothing),
    row("DELETE /wallet/upi/{upiAccountId}", OWN_MECHANIC).of(UPI_ACCOUNT),
    row("POST /wallet/upi/{upiAccountId}/approve", MONEY).of(MISMATCHED_UPI_ACCOUNT).body(nothing),
    row("POST /wallet/upi/{upiAccountId}/reject", MONEY).of(MISMATCHED_UPI_ACCOUNT).body(reason),
    row("POST /wallet/withdrawals", MECHANIC).body(|| json!({"amount": 1.5, "upi_account_id": null})),
    row("GET /wallet/withdrawals", MECHANIC),
    row("GET /wallet/withdrawals/{id}", OWN_MECHANIC).of(WITHDRAWAL),
    row("GET /wallet/settlements", MECHANIC),
    row("GET /wallet/settlements/{id}", OWN_MECHANIC_OR_MONEY).of(SETTLEMENT),
    row("GET /wallet/refunds/{paymentId}", PARTICIPANT).of(EARNED_PAYMENT),
    row("GET /admin/wallet/upi", MONEY),
    row("GET /admin/withdrawals", MONEY),
    row("POST /admin/withdrawals/{id}/mark-paid", MONEY)
        .of(WITHDRAWAL)
        .body(|| json!({"reference": "UPI 1"})),
    row("POST /admin/withdrawals/{id}/mark-failed", MONEY).of(WITHDRAWAL).body(reason),
    row("GET /admin/settlements", MONEY),
    row("POST /admin/settlements/run", MONEY)
        .body(|| json!({"period_start": "2020-01-01", "period_end": "2020-01-08"})),
    row("POST /admin/settlements/{id}/mark-paid", MONEY)
        .of(SETTLEMENT)
        .body(|| json!({"reference": "NEFT 1"})),
];

/// An account of the mechanic.
const UPI_ACCOUNT: Object = Object::Id(|world| Box::pin(upi_account(world)));

/// An account of the mechanic, registered to another name.
const MISMATCHED_UPI_ACCOUNT: Object = Object::Id(|world| Box::pin(mismatched_upi_account(world)));

const WITHDRAWAL: Object =
    Object::Id(|world| Box::pin(insert_withdrawal(&world.app.database.db, &world.profile_id)));

const SETTLEMENT: Object =
    Object::Id(|world| Box::pin(insert_settlement(&world.app.database.db, &world.profile_id)));

/// The customer's payment, by which the mechanic earned.
const EARNED_PAYMENT: Object = Object::Id(|world| Box::pin(earned_payment(world)));

/// Makes a new account each time: the mechanic may have only a few.
async fn upi_account(world: &World<'_>) -> String {
    let mechanic = world.mechanic();
    let accounts = mechanic.get("/wallet/upi").await.expect(200);
    for account in accounts["data"].as_array().into_iter().flatten() {
        mechanic.delete(&format!("/wallet/upi/{}", id_of(account))).await.expect(204);
    }
    made(mechanic, "/wallet/upi", new_upi_account()).await
}

async fn mismatched_upi_account(world: &World<'_>) -> String {
    let id = upi_account(world).await;
    set_name_mismatch(&world.app.database.db, &id).await;
    id
}

async fn earned_payment(world: &World<'_>) -> String {
    let vehicle = world.customer().post("/vehicles", new_vehicle()).await.expect(201);
    let earning = Earning { customer: Some(vehicle), ..Earning::of(&world.profile_id, 10_000) };
    insert_earning(&world.app.database.db, earning).await.payment_id.to_string()
}

fn new_upi_account() -> Value {
    json!({"vpa": format!("ravi{}@okbank", number()), "holder_name": "Asha Rao"})
}
