//! A service in which no list is empty.

use serde_json::json;

use super::{
    Client, Person, Scene, TestApp,
    money::{
        Earning, insert_chargeback, insert_earning, insert_no_show, insert_parked_payment,
        insert_partner_bill, insert_refund, insert_settlement, insert_tow_review, insert_withdrawal,
    },
    partners::insert_delivery,
    rows::fail_pushes,
    spawn_app,
};

/// A service with data in every list, and the people whose lists they are.
pub struct Listed {
    pub app: TestApp,
    pub scene: Scene,
    pub admin: Person,
    /// The program of a partner, which owes for a job.
    pub program: Client,
}

impl Listed {
    /// Starts a service with a job that was served, rated and disputed, another one whose customer waits for a call, and
    /// money of every kind.
    pub async fn start() -> Self {
        let app = spawn_app().await;
        let admin = app.admin().await;
        let scene = app.accepted().await;
        scene.serve().await;
        scene.customer.post(&scene.path("/rating"), json!({"score": 2})).await.expect(201);
        let why = json!({"reason_code": "poor_work", "description": "=flat, \"again\"\nand again", "evidence_urls": []});
        scene.customer.post(&scene.path("/dispute"), why).await.expect(201);
        app.webhook(&json!({"event": "invoice.paid", "payload": {"a": 1}})).await.expect(200);
        let worker = &scene.mechanic.client;
        let account = json!({"vpa": "ravi@okbank", "holder_name": "=Ravi"});
        worker.post("/wallet/upi", account).await.expect(201);
        let wider = json!({"vehicle_types": ["commercial", "four_wheeler", "two_wheeler"]});
        worker.patch("/mechanics/me", wider).await.expect(200);
        let partner = app.partner(&admin).await;
        insert_partner_bill(&app.database.db, &scene.job, &partner.id).await;
        insert_delivery(&app, &partner.id).await;
        let program = partner.program(&["read", "webhooks"]).await;
        let listed = Self { app, scene, admin, program };
        listed.ask_for_a_call().await;
        let asked = json!({"kind": "access", "text": "What do you know about me?"});
        listed.scene.customer.post("/users/me/grievances", asked).await.expect(201);
        let workshop =
            json!({"name": "Lakshmi Motors", "address": "12 Hosur Road", "lat": 12.934, "lng": 77.611});
        listed.admin.post("/admin/workshops", workshop).await.expect(201);
        listed.insert_money().await;
        fail_pushes(&listed.app.database.db, &listed.scene.customer.user_id).await;
        listed
    }

    async fn ask_for_a_call(&self) {
        let stranded = self.app.breakdown().await;
        let job = stranded.call().await;
        let path = format!("/jobs/{}/callback", job["id"].as_str().expect("an id"));
        stranded.client.post(&path, json!({"note": "until nine"})).await.expect(200);
    }

    async fn insert_money(&self) {
        let (db, profile) = (&self.app.database.db, &self.scene.mechanic.profile_id);
        let vehicle = self.scene.customer.get("/vehicles").await.expect(200)["data"][0].clone();
        let earning = Earning { customer: Some(vehicle), ..Earning::of(profile, 10_000) };
        let earned = insert_earning(db, earning).await;
        insert_settlement(db, profile).await;
        insert_refund(db, earned.payment_id).await;
        insert_chargeback(db, earned.payment_id).await;
        insert_parked_payment(db).await;
        insert_withdrawal(db, profile).await;
        insert_no_show(db, &self.scene.job).await;
        insert_tow_review(db, &self.scene.job).await;
    }
}
