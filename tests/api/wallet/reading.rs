use serde_json::{Value, json};

use super::{spawn_earner, spawn_prompt, spawn_prompt_with_admin};
use crate::support::{
    bodies::{id_of, vehicle},
    money::{Earning, insert_earning},
};

#[actix_web::test]
async fn a_new_wallet_is_empty() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await.client;
    let wallet = mechanic.get("/wallet").await.expect(200);
    for field in ["available", "held", "owed", "withdrawable", "pending_withdrawals", "lifetime_earned"] {
        assert_eq!(wallet[field], 0.0, "{field}");
    }
    assert_eq!(wallet["currency"], "INR");
    let empty = json!({"data": [], "page": 1, "limit": 20, "total": 0});
    for path in ["/wallet/transactions", "/wallet/withdrawals", "/wallet/settlements"] {
        assert_eq!(mechanic.get(path).await.expect(200), empty, "{path}");
        mechanic.get(&format!("{path}?limit=0")).await.refused_field("limit");
    }
}

#[actix_web::test]
async fn refunds_are_shown_to_the_parties_of_the_payment() {
    let (app, admin) = spawn_prompt_with_admin().await;
    let (customer, mechanic) = (app.customer().await, app.registered_mechanic().await);
    let vehicle = customer.post("/vehicles", vehicle("X1")).await.expect(201);
    let earning = Earning { customer: Some(vehicle), ..Earning::of(&mechanic.profile_id, 10_000) };
    let payment = insert_earning(&app.database.db, earning).await.payment_id;
    let path = format!("/wallet/refunds/{payment}");
    assert_eq!(customer.get(&path).await.expect(200), json!({"data": []}));
    for (number, status) in ["requested", "pending", "processed", "failed"].iter().enumerate() {
        let refund =
            "insert into refunds (id, payment_id, amount_paise, status, source, reason, created_at, updated_at, settled_at)
            values (gen_random_uuid(), $1, 1050, $2, 'admin', 'late', now() + $3 * interval '1 second', now(),
                case when $2 in ('processed', 'failed') then now() end)";
        let refund = sqlx::query(refund).bind(payment).bind(status).bind(number as i32);
        refund.execute(&app.database.db).await.unwrap();
    }
    let shown = customer.get(&path).await.expect(200);
    assert_eq!(customer.column(&path, "status").await, ["pending", "pending", "processed", "failed"]);
    let first = &shown["data"][0];
    assert_eq!((&first["amount"], &first["settled_at"]), (&json!(10.5), &Value::Null));
    assert_eq!((&first["payment_id"], &first["source"]), (&json!(payment), &json!("admin")));
    assert!(!id_of(first).is_empty());
    assert_eq!(mechanic.client.get(&path).await.expect(200), shown);
    assert_eq!(admin.get(&path).await.expect(200), shown);
    for stranger in [app.customer().await, app.registered_mechanic().await.client] {
        stranger.get(&path).await.refused(404, "NOT_FOUND");
    }
}

#[actix_web::test]
async fn a_wallet_with_money_in_it_keeps_its_owner() {
    let (app, _, earner) = spawn_earner(10_000).await;
    let leave = || earner.client.delete("/users/me");
    leave().await.refused(409, "CONFLICT");
    let made = earner.withdraw(100.0).await;
    earner.until(&made, "processed").await;
    leave().await.expect(204);
    let left: i64 = app
        .sql_value(
            "select (select count(*) from upi_accounts where vpa <> '' or name_at_bank is not null)
            + (select count(*) from withdrawals where vpa <> '' or holder_name <> '')",
        )
        .await;
    assert_eq!(left, 0, "nothing shows where they were paid");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn the_ledger_is_checked_from_the_command_line() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    app.fund(&mechanic.profile_id, 10_000).await;
    let (is_sound, figures) = app.check_ledger().await;
    assert!(is_sound && figures.contains("postings                   2"), "{figures}");
    // A mechanic without earnings suddenly has money.
    app.sql("update ledger_accounts set balance_paise = 10001 where kind = 'mechanic_available'").await;
    let (is_sound, figures) = app.check_ledger().await;
    assert!(!is_sound && figures.contains("wrong balances             1"), "{figures}");
}
