//! Nothing is paid twice because a database was restored.

use roadcall::{
    money::wallet,
    service::settings::{PayoutProvider, Secret},
};
use serde_json::json;
use uuid::Uuid;

use super::{Folder, backed_up, empty_database, ended, roadcall};
use crate::{
    support::{
        TestApp,
        bodies::id_of,
        razorpay::{ACCOUNT, KEY_ID, KEY_SECRET, RazorpayPeer},
        spawn_app_with, until,
    },
    wallet::Earner,
};

async fn pay(app: &TestApp) {
    sqlx::query("update withdrawals set next_try_at = now() where next_try_at is not null")
        .execute(&app.service.db)
        .await
        .unwrap();
    wallet::pay_due(&app.service.wallet).await.unwrap();
}

async fn payout_of(app: &TestApp, withdrawal: &str) -> Option<String> {
    let id: Uuid = withdrawal.parse().unwrap();
    sqlx::query_scalar("select payout_id from withdrawals where id = $1")
        .bind(id)
        .fetch_one(&app.service.db)
        .await
        .unwrap()
}

/// Waits until the server's own worker has paid the withdrawal.
async fn until_paid(app: &TestApp, withdrawal: &str) -> String {
    until("the withdrawal is paid out", async || {
        app.service.wallet.payout_wakeup.wake();
        payout_of(app, withdrawal).await
    })
    .await
}

/// Starts a server that pays out through the provider, and returns it with a mechanic who has money.
async fn paying(peer: &RazorpayPeer) -> (TestApp, Earner) {
    let url = peer.url();
    let app = spawn_app_with(|settings| {
        settings.wallet.new_account_wait_hours = 0;
        settings.gateway.base_url = url;
        settings.gateway.key_id = KEY_ID.to_owned();
        settings.gateway.key_secret = Secret(KEY_SECRET.to_owned());
        settings.payouts.provider = PayoutProvider::Razorpay;
        settings.payouts.account_number = ACCOUNT.to_owned();
    })
    .await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 100_000).await;
    let verified =
        "update upi_accounts set verification_status = 'verified', check_at = null, is_default = true";
    sqlx::query(verified).execute(&app.database.db).await.unwrap();
    (app, earner)
}

async fn audited(app: &TestApp) -> Vec<String> {
    let audited = "select action from audit_log where action like 'payouts.%' order by at, id";
    sqlx::query_scalar(audited).fetch_all(&app.service.db).await.unwrap()
}

#[actix_web::test]
async fn a_payout_made_after_the_backup_is_found_and_waits_to_be_released() {
    let peer = RazorpayPeer::start().await;
    let (mut app, earner) = paying(&peer).await;

    // It is requested before the backup, and paid out after it.
    let mut tx = app.database.db.begin().await.unwrap();
    let (random, now) = (&app.service.random, app.service.clock.now());
    wallet::pause_payouts(&mut tx, random, now).await.unwrap();
    tx.commit().await.unwrap();
    let asked = earner.client.post("/wallet/withdrawals", json!({"amount": 500.0})).await.expect(201);
    let withdrawal = id_of(&asked);
    let to = Folder::new();
    let settings = app.database.settings();
    let backup = backed_up(&to, &[], &app.data_dir, Some(&settings)).await;
    let release = ["restore", "--release-payouts"];
    let said = ended(roadcall(&release, Some(&app.data_dir), Some(&settings))).await.well();
    assert!(said.contains("payouts go on"), "{said}");
    let payout = until_paid(&app, &withdrawal).await;
    assert_eq!(peer.made().1, 1);

    let (database, data) = (empty_database(&app.database).await, Folder::new());
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&data.0), Some(&database))).await.well();
    assert!(said.contains("Payouts wait"), "{said}");
    let restored = database.clone();
    app.restart_with(|settings| {
        settings.database = restored;
        settings.server.data_dir = data.0.clone();
    })
    .await;
    let orders = || peer.lines().iter().filter(|line| line.starts_with("POST /v1/payouts")).count();
    let ordered = orders();
    pay(&app).await;
    assert_eq!((payout_of(&app, &withdrawal).await, orders()), (None, ordered), "it waits");

    ended(roadcall(&release, Some(&data.0), Some(&database))).await.well();
    assert_eq!(until_paid(&app, &withdrawal).await, payout, "the provider knows it by the withdrawal's id");
    assert_eq!(peer.made().1, 1, "and has not paid again");
    let said = ended(roadcall(&release, Some(&data.0), Some(&database))).await.well();
    assert!(said.contains("payouts did not wait"), "{said}");
    assert_eq!(audited(&app).await, ["payouts.pause", "payouts.pause", "payouts.release", "payouts.release"]);
    app.stop().await;
}

#[actix_web::test]
async fn held_payouts_wait_on_a_running_server_until_they_are_released() {
    let peer = RazorpayPeer::start().await;
    let (mut app, earner) = paying(&peer).await;
    let settings = app.database.settings();
    let hold = ["restore", "--hold-payouts"];
    let said = ended(roadcall(&hold, Some(&app.data_dir), Some(&settings))).await.well();
    assert!(said.contains("payouts wait"), "{said}");

    let asked = earner.client.post("/wallet/withdrawals", json!({"amount": 500.0})).await.expect(201);
    let withdrawal = id_of(&asked);
    pay(&app).await;
    assert_eq!((payout_of(&app, &withdrawal).await, peer.made().1), (None, 0), "it waits");

    let release = ["restore", "--release-payouts"];
    ended(roadcall(&release, Some(&app.data_dir), Some(&settings))).await.well();
    until_paid(&app, &withdrawal).await;
    assert_eq!(peer.made().1, 1);
    assert_eq!(audited(&app).await, ["payouts.pause", "payouts.release"]);
    app.stop().await;
}

/// Checks the arguments: with a folder, payouts wait anyway, and they cannot both wait and go on.
#[tokio::test]
async fn holding_payouts_takes_neither_a_folder_nor_a_release() {
    let there = Folder::new();
    for others in [[there.text()].as_slice(), &["--release-payouts"]] {
        let arguments = [&["restore", "--hold-payouts"], others].concat();
        let said = ended(roadcall(&arguments, Some(&there.0), None)).await;
        assert_eq!(said.code, Some(2), "{}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains("cannot be used with"), "{}", said.stderr);
    }
    let said = ended(roadcall(&["restore", "--hold-payouts"], Some(&there.0), None)).await.refused();
    assert!(said.contains("there is no database in the data folder"), "{said}");
}
