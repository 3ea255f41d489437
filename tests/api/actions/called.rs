//! Calls use cases as functions: without a request, and so without HTTP.

use roadcall::{
    http::{Id, Latitude, Longitude, Money, Text},
    jobs::{
        self, NewJob,
        actions::{JobBooking, create},
    },
    money::{
        disputes::{DisputeOutcome, Resolve, actions::resolve},
        wallet::withdrawals::{NewWithdrawal, actions::request},
    },
    platform::{error::Code, idempotency::Claim},
};
use roadcall_actors::{ids::UserId, job::state::Actor};
use serde_json::json;
use uuid::Uuid;

use crate::{
    support::{Stranded, bodies::FLAT_TYRE, spawn_app, spawn_completed},
    wallet::{Earner, spawn_prompt},
};

fn id(text: &str) -> Uuid {
    text.parse().unwrap()
}

#[actix_web::test]
async fn money_is_withdrawn() {
    let app = spawn_prompt().await;
    let earner = Earner::new(&app, &*app.admin().await, "asha@okbank", 50_000).await;
    let withdraw = async |paise| {
        let new = NewWithdrawal { amount: Money(paise), upi_account_id: None };
        request(&app.service.wallet, id(&earner.profile_id), new, &Claim::Unmarked).await
    };
    let row = withdraw(12_345).await.unwrap();
    let shown = earner.withdrawal(&row.id.to_string()).await;
    assert_eq!((&shown["amount"], &shown["vpa"]), (&json!(123.45), &json!("asha@okbank")));
    assert_eq!(earner.wallet().await["withdrawable"], 376.55);
    assert_eq!(withdraw(40_000).await.unwrap_err().code, Code::InsufficientBalance);
    app.sound_ledger().await;
}

fn call(stranded: &Stranded) -> NewJob {
    NewJob {
        destination: None,
        vehicle_id: Id(id(&stranded.vehicle_id)),
        service_category_id: Id(id(FLAT_TYRE)),
        pickup_address: Text("MG Road".to_owned()),
        pickup_lat: Latitude(stranded.place.0),
        pickup_lng: Longitude(stranded.place.1),
        description: None,
        photo_urls: None,
        beneficiary_name: None,
        beneficiary_phone: None,
        contact_preference: None,
        urgency: None,
        scheduled_for: None,
    }
}

#[actix_web::test]
async fn a_job_is_created() {
    let app = spawn_app().await;
    let (stranded, stranger) = (app.breakdown().await, app.customer().await);
    let create_as = async |user_id: &str| {
        let customer_id = id(user_id);
        let by = Actor::Customer(UserId(customer_id));
        let booking = JobBooking {
            customer_id,
            mechanic_profile_id: None,
            by,
            agreed_notice: None,
            known_by: None,
            on_account: None,
        };
        create(&app.service.payments.jobs, &booking, call(&stranded), &Claim::Unmarked).await
    };
    let row = create_as(&stranded.client.user_id).await.unwrap();
    let shown = stranded.job(&row.id.to_string()).await;
    assert_eq!(shown["pickup_address"], "MG Road");
    assert_eq!(shown["vehicle_id"], json!(stranded.vehicle_id));
    let refusal = create_as(&stranger.user_id).await.unwrap_err();
    assert_eq!(refusal.code, Code::ValidationFailed, "the vehicle is another customer's");
}

#[actix_web::test]
async fn a_dispute_is_decided() {
    let (app, scene, admin) = spawn_completed().await;
    let job = jobs::find(&app.service.db, id(&scene.job)).await.unwrap().unwrap();
    let decide = async || {
        let note = Text("Nothing was repaired".to_owned());
        let how = Resolve { outcome: DisputeOutcome::Customer, price_reduction: None, note };
        resolve(&app.service.payments, id(&admin.user_id), &job, how, &Claim::Unmarked).await
    };
    assert_eq!(decide().await.unwrap_err().code, Code::InvalidTransition, "there is no dispute yet");
    let why = json!({"reason_code": "poor_work", "description": "Flat again"});
    scene.customer.post(&scene.path("/dispute"), why).await.expect(201);
    decide().await.unwrap();
    let shown = scene.customer.get(&scene.path("/dispute")).await.expect(200);
    assert_eq!((&shown["outcome"], &shown["price_after"]), (&json!("customer"), &json!(0.0)));
    assert_eq!(decide().await.unwrap_err().code, Code::InvalidTransition, "it is decided");
    app.sound_ledger().await;
}
