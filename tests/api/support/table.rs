//! Every route, who may call it, and a valid body. A new route is one line here; without it the tests of authorization
//! and of hostile bodies fail.

use std::sync::atomic::{AtomicU32, Ordering};

use roadcall_actors::ids::JobId;
use serde_json::{Value, json};

use super::{
    Person, TestApp,
    bodies::{FLAT_TYRE, id_of, registration},
    money::{
        Earning, insert_earning, insert_no_show, insert_parked_payment, insert_settlement, insert_withdrawal,
        set_dead, set_lost_by_silence, set_name_mismatch,
    },
    uploads::{announcement, photo, presigned, sent, uploaded},
    within,
};

/// Who asks, in the order of the columns of [`Expected`].
pub const CALLERS: [&str; 7] =
    ["no token", "customer", "other customer", "mechanic", "other mechanic", "admin", "super_admin"];

/// A place in Bengaluru, where everything happens.
const HERE: (f64, f64) = (12.9716, 77.5946);

/// An id that nothing has.
const NOBODY: &str = "018f0000-0000-7000-8000-00000000dead";

/// What each caller gets; [`OK`] means anything except a refusal of the caller.
pub type Expected = [u16; 7];

pub const OK: u16 = 200;

const PUBLIC: Expected = [OK, OK, OK, OK, OK, OK, OK];
const SIGNED_IN: Expected = [401, OK, OK, OK, OK, OK, OK];
/// The customer's own object, of a kind that everybody who is signed in may have.
const OWNER: Expected = [401, OK, 404, 404, 404, 404, 404];
/// The customer's own object, of a kind that only customers have; a mechanic is also a customer.
const OWNER_CUSTOMER: Expected = [401, OK, 404, 404, 404, 403, 403];
/// The same, but admins see it too.
const OWNER_OR_ADMIN: Expected = [401, OK, 404, 404, 404, OK, OK];
const CUSTOMER: Expected = [401, OK, OK, OK, OK, 403, 403];
const MECHANIC: Expected = [401, 403, 403, OK, OK, 403, 403];
/// The mechanic's own profile; callers without one have to register.
const OWN_PROFILE: Expected = [401, 404, 404, OK, OK, 403, 403];
/// The customer's job, with the mechanic assigned.
const PARTICIPANT: Expected = [401, OK, 404, OK, 404, OK, OK];
/// The same, of a kind that only people on the road have.
const PARTY: Expected = [401, OK, 404, OK, 404, 403, 403];
/// The mechanic's own offer, or the job that they are assigned to.
const OWN_MECHANIC: Expected = [401, 403, 403, OK, 404, 403, 403];
const ADMIN: Expected = [401, 403, 403, 403, 403, OK, OK];
const SUPER_ADMIN: Expected = [401, 403, 403, 403, 403, 403, OK];

/// What the parameters in a route's path are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    Nothing,
    /// A second sign-in of the customer.
    Session,
    /// The customer's.
    Vehicle,
    /// A category that nothing refers to.
    Category,
    /// Somebody's account that is active, or suspended.
    User,
    SuspendedUser,
    /// A pending one, of an admin.
    Invite,
    /// Somebody's profile.
    PendingMechanic,
    VerifiedMechanic,
    SuspendedMechanic,
    /// What a mechanic asks to serve.
    MechanicChange,
    /// The mechanic's, handed in after they were verified.
    Document,
    /// The customer's job, waiting for a mechanic.
    OpenJob,
    /// The same, and the customer asked to be called.
    Callback,
    /// The customer's job, accepted by the mechanic.
    AcceptedJob,
    /// The customer's job, taken from the mechanic because nothing came from their phone.
    LostJob,
    /// The customer's job in progress, with an undecided line item.
    LineItem,
    /// The customer's job, accepted, with a photo of theirs.
    JobPhoto,
    /// The customer's job, done by the mechanic and disputed; and that dispute.
    DisputedJob,
    Dispute,
    /// The customer's job, whose mechanic says that nobody was there.
    NoShow,
    /// The customer's job, completed by the mechanic and not paid; and the customer's rating of it.
    DoneJob,
    Rating,
    /// A link to the customer's job; and its token.
    Share,
    ShareToken,
    /// The token of a link that lets its holder talk, to an accepted job; with a call of the mechanic, or of the holder.
    GuestToken,
    CallToGuest,
    CallByGuest,
    /// A call of the customer to the mechanic, about their job.
    Call,
    /// An offer to the mechanic for a job of the customer.
    Offer,
    /// The customer's payment for a job that the mechanic completed.
    Payment,
    /// A refund of a payment in cash.
    Refund,
    /// Something that the gateway sent.
    WebhookEvent,
    /// The same, but dead.
    DeadWebhookEvent,
    /// A payment for an order that nobody knows.
    ParkedPayment,
    /// At the gateway, not paid.
    GatewayOrder,
    /// The mechanic's.
    UpiAccount,
    /// The mechanic's, registered to another name.
    MismatchedUpiAccount,
    Withdrawal,
    Settlement,
    /// A notification of the customer, and a device of theirs.
    Notification,
    PushToken,
    /// The customer's payment, by which the mechanic earned.
    EarnedPayment,
    /// The customer's document, complete.
    Upload,
    /// The customer's document, uploaded but not completed.
    SentUpload,
    /// Links to upload one, and to download one.
    PutLink,
    GetLink,
}

/// One route.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// `POST /vehicles/{id}`
    pub route: &'static str,
    pub expected: Expected,
    pub object: Object,
    /// A body that the allowed callers may send.
    pub body: Option<fn() -> Value>,
    /// Whether the request ends the caller's own session or account, so that somebody new must make it.
    pub ends_caller: bool,
}

const fn row(route: &'static str, expected: Expected) -> Row {
    Row { route, expected, object: Object::Nothing, body: None, ends_caller: false }
}

impl Row {
    const fn of(self, object: Object) -> Self {
        Self { object, ..self }
    }

    const fn body(self, body: fn() -> Value) -> Self {
        Self { body: Some(body), ..self }
    }

    const fn ends_caller(self) -> Self {
        Self { ends_caller: true, ..self }
    }

    pub fn method(&self) -> reqwest::Method {
        let method = self.route.split(' ').next().unwrap_or_default();
        method.parse().expect("a method")
    }

    /// Whether only mechanics may use it.
    pub fn is_of_mechanics(&self) -> bool {
        [MECHANIC, OWN_PROFILE, OWN_MECHANIC].contains(&self.expected)
    }

    pub fn template(&self) -> &'static str {
        self.route.split(' ').nth(1).expect("a route is a method and a path")
    }
}

#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // health, documents
    row("GET /health", PUBLIC),
    row("GET /health/ready", PUBLIC),
    row("GET /metrics", PUBLIC),
    row("GET /openapi.json", PUBLIC),
    row("GET /asyncapi.json", PUBLIC),
    row("GET /config", PUBLIC),
    // auth: the public ones refuse odd credentials with 401 themselves, so they get odd bodies
    row("POST /auth/send-otp", PUBLIC).body(|| json!({"phone": "+14155550100"})),
    row("POST /auth/verify-otp", PUBLIC).body(|| json!({"phone": "+14155550101", "otp": "000000", "name": "Asha"})),
    row("POST /auth/admin-login", PUBLIC).body(|| json!({"idpIdToken": "a.b.c"})),
    row("POST /auth/accept-invite", PUBLIC).body(|| json!({"token": "none of ours", "idpIdToken": "a.b.c"})),
    row("POST /auth/refresh", PUBLIC).body(|| json!({"refreshToken": "none of ours"})),
    row("POST /auth/logout", SIGNED_IN).body(|| json!({"refreshToken": "none of ours", "allDevices": false})).ends_caller(),
    row("GET /auth/sessions", SIGNED_IN),
    row("DELETE /auth/sessions/{id}", OWNER).of(Object::Session),
    row("POST /idp/token", PUBLIC).body(|| json!({"email": "nobody@example.com", "password": "not a password"})),
    row("POST /idp/accounts", PUBLIC).body(|| json!({"token": "none of ours", "password": "not a password"})),
    row("POST /idp/second-factor", PUBLIC).body(|| json!({"email": "nobody@example.com", "password": "not a password"})),
    row("POST /idp/second-factor/confirm", PUBLIC)
        .body(|| json!({"email": "nobody@example.com", "password": "not a password", "code": "000000"})),
    row("GET /idp/.well-known/jwks.json", PUBLIC),
    row("GET /idp/.well-known/openid-configuration", PUBLIC),
    // users
    row("GET /users/me", SIGNED_IN),
    row("PATCH /users/me", SIGNED_IN).body(|| json!({"name": "Asha Rao", "email": null, "avatar_url": null, "language": "en-IN"})),
    row("PUT /users/me/phone", CUSTOMER)
        .body(|| json!({"phone": "+14155550103", "otp": "000000", "current_otp": "000000"})),
    row("GET /users/me/export", SIGNED_IN),
    row("DELETE /users/me", CUSTOMER).ends_caller(),
    // super-admins
    row("POST /super-admin/invites", SUPER_ADMIN).body(new_invite),
    row("GET /super-admin/invites", SUPER_ADMIN),
    row("DELETE /super-admin/invites/{id}", SUPER_ADMIN).of(Object::Invite),
    row("GET /super-admin/admins", SUPER_ADMIN),
    row("DELETE /super-admin/users/{id}", SUPER_ADMIN).of(Object::User),
    row("DELETE /super-admin/users/{id}/second-factor", SUPER_ADMIN).of(Object::User),
    row("PUT /super-admin/users/{id}/role", SUPER_ADMIN).of(Object::User).body(|| json!({"role": "customer"})),
    // vehicles, service categories
    row("GET /vehicles", CUSTOMER),
    row("POST /vehicles", CUSTOMER).body(new_vehicle),
    row("GET /vehicles/{id}", OWNER_CUSTOMER).of(Object::Vehicle),
    row("PATCH /vehicles/{id}", OWNER_CUSTOMER).of(Object::Vehicle).body(new_vehicle),
    row("DELETE /vehicles/{id}", OWNER_CUSTOMER).of(Object::Vehicle),
    row("GET /service-categories", SIGNED_IN),
    row("GET /service-categories/{id}", SIGNED_IN).of(Object::Category),
    row("POST /service-categories", ADMIN).body(new_category),
    row("PATCH /service-categories/{id}", ADMIN).of(Object::Category).body(new_category),
    row("DELETE /service-categories/{id}", ADMIN).of(Object::Category),
    // mechanics: people who already have a profile get 409
    row("POST /mechanics/register", CUSTOMER).body(registration).ends_caller(),
    row("GET /mechanics/me", OWN_PROFILE),
    row("PATCH /mechanics/me", OWN_PROFILE).body(|| json!({
        "service_radius_km": 12, "vehicle_types": ["two_wheeler"], "service_category_ids": [FLAT_TYRE],
    })),
    row("GET /mechanics/me/documents", OWN_PROFILE),
    row("POST /mechanics/me/documents", OWN_PROFILE).body(|| json!({"type": "other", "file_url": "https://files.example/a.pdf"})),
    row("DELETE /mechanics/me/documents/{id}", OWN_MECHANIC).of(Object::Document),
    row("PUT /mechanics/me/availability", OWN_PROFILE).body(|| json!({"is_available": false, "lat": null, "lng": null})),
    row("POST /mechanics/me/location", OWN_PROFILE).body(|| json!({"points": [{
        "seq": 1, "lat": HERE.0, "lng": HERE.1, "accuracy_m": 8, "speed_mps": 0, "heading": 90,
        "recorded_at": "2026-01-05T10:00:00Z", "is_mock": false,
    }]})),
    row("GET /mechanics/me/advice", OWN_PROFILE),
    row("GET /mechanics/me/stats", OWN_PROFILE),
    row("GET /mechanics/nearby", CUSTOMER),
    row("GET /mechanics/{id}", SIGNED_IN).of(Object::VerifiedMechanic),
    // offers
    row("GET /mechanics/me/offers", OWN_PROFILE),
    row("GET /offers/{id}", OWN_MECHANIC).of(Object::Offer),
    row("GET /offers/{id}/photos", OWN_MECHANIC).of(Object::Offer),
    row("POST /offers/{id}/accept", OWN_MECHANIC).of(Object::Offer).body(nothing),
    row("POST /offers/{id}/decline", OWN_MECHANIC).of(Object::Offer).body(|| json!({"reason": "too far"})),
    // jobs
    row("POST /jobs/estimate", CUSTOMER).body(|| json!({
        "vehicle_id": NOBODY, "service_category_id": FLAT_TYRE, "pickup_lat": HERE.0, "pickup_lng": HERE.1,
    })),
    row("POST /jobs", CUSTOMER).body(|| new_job(NOBODY)),
    row("GET /jobs", CUSTOMER),
    row("GET /jobs/{id}", PARTICIPANT).of(Object::AcceptedJob),
    row("PATCH /jobs/{id}", OWNER_CUSTOMER).of(Object::OpenJob).body(|| json!({"description": "Both tyres are flat"})),
    row("GET /jobs/{id}/timeline", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /jobs/{id}/events", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /jobs/{id}/location", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /jobs/{id}/route", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /jobs/{id}/stream", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /jobs/{id}/photos", PARTICIPANT).of(Object::AcceptedJob),
    row("POST /jobs/{id}/photos", PARTICIPANT).of(Object::AcceptedJob)
        .body(|| json!({"stage": "before", "file_url": "https://files.example/a.jpg"})),
    row("DELETE /jobs/{id}/photos/{item_id}", OWNER).of(Object::JobPhoto),
    row("GET /jobs/{id}/cancellation-quote", OWNER_CUSTOMER).of(Object::AcceptedJob),
    row("POST /jobs/{id}/cancel", OWNER_CUSTOMER).of(Object::AcceptedJob)
        .body(|| json!({"reason_code": "changed_mind", "reason": "it starts again", "quoted_fee": 500})),
    row("POST /jobs/{id}/callback", OWNER_CUSTOMER).of(Object::OpenJob).body(|| json!({"note": "Please call before nine"})),
    row("DELETE /jobs/{id}/callback", OWNER_CUSTOMER).of(Object::OpenJob),
    row("POST /jobs/{id}/retry", OWNER_CUSTOMER).of(Object::OpenJob).body(nothing),
    row("POST /jobs/{id}/en-route", OWN_MECHANIC).of(Object::AcceptedJob).body(nothing),
    row("POST /jobs/{id}/navigating", OWN_MECHANIC).of(Object::AcceptedJob).body(|| json!({"is_elsewhere": true})),
    row("POST /jobs/{id}/take-back", OWN_MECHANIC).of(Object::LostJob).body(nothing),
    row("GET /mechanics/me/lost-jobs", OWN_PROFILE),
    row("POST /jobs/{id}/arrive", OWN_MECHANIC).of(Object::AcceptedJob).body(|| json!({"override_reason": "beside the flyover"})),
    row("POST /jobs/{id}/start", OWN_MECHANIC).of(Object::AcceptedJob).body(|| json!({"start_code": "0000"})),
    row("POST /jobs/{id}/complete", OWN_MECHANIC).of(Object::AcceptedJob)
        .body(|| json!({"outcome": "fixed", "notes": "a nail", "photo_urls": ["https://files.example/a.jpg"]})),
    row("POST /jobs/{id}/release", OWN_MECHANIC).of(Object::AcceptedJob).body(|| json!({"reason_code": "missing_parts"})),
    row("POST /jobs/{id}/no-show", OWN_MECHANIC).of(Object::AcceptedJob).body(nothing),
    // the demo: a city that only waits
    row("GET /demo", PUBLIC),
    row("POST /demo/play", PUBLIC),
    row("POST /demo/stop", PUBLIC),
    row("POST /demo/sign-in", PUBLIC).body(|| json!({"as": "admin"})),
    // the sandbox, which is the customer's phone at a gateway's checkout
    row("POST /sandbox/gateway/orders/{gateway_order_id}/pay", PUBLIC).of(Object::GatewayOrder)
        .body(|| json!({"outcome": "captured", "method": "card"})),
    // payments
    row("POST /payments/webhook", PUBLIC).body(|| json!({"event": "payment.captured", "payload": {}})),
    row("GET /payments/unpaid-fees", CUSTOMER),
    row("GET /payments/outstanding-fees", CUSTOMER),
    row("POST /payments/orders", CUSTOMER).body(|| json!({"job_id": NOBODY, "fee_job_ids": null, "method": "online"})),
    row("POST /payments/verify", CUSTOMER).body(|| json!({
        "gateway_order_id": "order_1", "gateway_payment_id": "pay_1", "signature": "00",
    })),
    row("GET /payments", CUSTOMER),
    row("GET /payments/{id}", PARTICIPANT).of(Object::Payment),
    row("GET /payments/{id}/receipt", PARTICIPANT).of(Object::Payment),
    row("POST /payments/{id}/cash-confirm", PARTY).of(Object::Payment).body(price),
    row("POST /payments/{id}/refunds", ADMIN).of(Object::Payment).body(|| json!({"amount": 1.5, "reason": "flat again"})),
    row("GET /admin/refunds", ADMIN),
    row("POST /admin/refunds/{id}/mark-paid", ADMIN).of(Object::Refund).body(|| json!({"reference": "NEFT 4711"})),
    row("GET /admin/payments", ADMIN),
    row("GET /admin/parked-payments", ADMIN),
    row("POST /admin/parked-payments/{id}/refund", ADMIN).of(Object::ParkedPayment).body(reason),
    row("POST /admin/parked-payments/{id}/dismiss", ADMIN).of(Object::ParkedPayment).body(reason),
    row("GET /admin/chargebacks", ADMIN),
    row("GET /admin/webhook-events", ADMIN),
    row("POST /admin/webhook-events/{id}/replay", ADMIN).of(Object::WebhookEvent).body(nothing),
    row("POST /admin/webhook-events/{id}/dismiss", ADMIN).of(Object::DeadWebhookEvent).body(reason),
    row("POST /admin/jobs/{id}/waive-fee", ADMIN).of(Object::OpenJob).body(nothing),
    row("GET /jobs/{id}/line-items", PARTICIPANT).of(Object::AcceptedJob),
    row("POST /jobs/{id}/line-items", OWN_MECHANIC).of(Object::AcceptedJob).body(new_line_item),
    row("PATCH /jobs/{id}/line-items/{item_id}", OWN_MECHANIC).of(Object::LineItem).body(new_line_item),
    row("DELETE /jobs/{id}/line-items/{item_id}", OWN_MECHANIC).of(Object::LineItem),
    row("POST /jobs/{id}/line-items/{item_id}/approve", OWNER_CUSTOMER).of(Object::LineItem).body(|| json!({"version": 1, "quoted_total": 120})),
    row("POST /jobs/{id}/line-items/{item_id}/reject", OWNER_CUSTOMER).of(Object::LineItem).body(|| json!({"version": 1})),
    // disputes
    row("POST /jobs/{id}/dispute", [401, OK, 404, OK, 404, 403, 403]).of(Object::AcceptedJob).body(new_dispute),
    row("GET /jobs/{id}/dispute", PARTICIPANT).of(Object::DisputedJob),
    row("POST /jobs/{id}/dispute/statements", [401, OK, 404, OK, 404, 403, 403]).of(Object::DisputedJob)
        .body(|| json!({"statement": "The tyre held when I left."})),
    row("GET /jobs/{id}/dispute/statements", PARTICIPANT).of(Object::DisputedJob),
    row("GET /jobs/{id}/no-show", PARTICIPANT).of(Object::NoShow),
    row("POST /jobs/{id}/contest-no-show", OWNER_CUSTOMER).of(Object::NoShow)
        .body(|| json!({"statement": "I was beside the scooter"})),
    row("GET /admin/no-shows", ADMIN),
    row("POST /admin/jobs/{id}/decide-no-show", ADMIN).of(Object::NoShow)
        .body(|| json!({"charge": true, "note": "The trail shows it"})),
    row("GET /wallet/disputes", MECHANIC),
    row("POST /wallet/disputes", MECHANIC).body(|| json!({
        "job_id": NOBODY, "reason_code": "not_paid", "description": "It was not paid", "evidence_urls": [],
    })),
    row("GET /wallet/disputes/{id}", OWN_MECHANIC).of(Object::Dispute),
    row("GET /admin/disputes", ADMIN),
    row("POST /admin/jobs/{id}/resolve", ADMIN).of(Object::DisputedJob)
        .body(|| json!({"outcome": "split", "price_reduction": 100, "note": "Half of it holds"})),
    // uploads: links to the local store are their own credentials
    row("POST /uploads/presign", SIGNED_IN).body(|| announcement("document", &photo())),
    row("PUT /uploads/{id}/content", PUBLIC).of(Object::PutLink),
    row("GET /uploads/{id}/content", PUBLIC).of(Object::GetLink),
    row("POST /uploads/{id}/complete", OWNER).of(Object::SentUpload).body(nothing),
    row("GET /uploads/{id}", OWNER).of(Object::Upload),
    row("DELETE /uploads/{id}", OWNER).of(Object::Upload),
    row("GET /uploads/{id}/link", OWNER_OR_ADMIN).of(Object::Upload),
    row("GET /uploads/{id}/file", OWNER_OR_ADMIN).of(Object::Upload),
    // ratings
    row("POST /jobs/{id}/rating", PARTY).of(Object::DoneJob)
        .body(|| json!({"score": 5, "tags": ["polite"], "comment": "Quick and friendly"})),
    row("GET /jobs/{id}/ratings", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /mechanics/{id}/ratings", SIGNED_IN).of(Object::VerifiedMechanic),
    row("GET /admin/ratings", ADMIN),
    row("DELETE /admin/ratings/{id}", ADMIN).of(Object::Rating),
    // shares
    row("POST /jobs/{id}/share", OWNER_CUSTOMER).of(Object::AcceptedJob)
        .body(|| json!({"shows_start_code": true, "may_contact": true, "send_to": null})),
    row("GET /jobs/{id}/shares", OWNER_CUSTOMER).of(Object::AcceptedJob),
    row("DELETE /jobs/{id}/share/{share_id}", OWNER_CUSTOMER).of(Object::Share),
    row("GET /track/{token}", PUBLIC).of(Object::ShareToken),
    row("GET /track/{token}/messages", PUBLIC).of(Object::GuestToken),
    row("POST /track/{token}/messages", PUBLIC).of(Object::GuestToken).body(new_guest_message),
    row("POST /track/{token}/call/token", PUBLIC).of(Object::CallByGuest).body(nothing),
    row("POST /track/{token}/calls", PUBLIC).of(Object::GuestToken).body(nothing),
    row("POST /track/{token}/calls/{id}/accept", PUBLIC).of(Object::CallToGuest).body(nothing),
    row("POST /track/{token}/calls/{id}/reject", PUBLIC).of(Object::CallToGuest).body(nothing),
    row("POST /track/{token}/calls/{id}/end", PUBLIC).of(Object::CallToGuest).body(nothing),
    row("POST /track/{token}/calls/{id}/signal", PUBLIC).of(Object::CallByGuest)
        .body(|| json!({"payload": {"candidate": "c"}})),
    row("GET /track/{token}/stream", PUBLIC).of(Object::GuestToken),
    // chat
    row("GET /jobs/{id}/messages", PARTICIPANT).of(Object::AcceptedJob),
    row("POST /jobs/{id}/messages", PARTY).of(Object::AcceptedJob).body(new_message),
    row("POST /jobs/{id}/messages/read", PARTY).of(Object::AcceptedJob).body(|| json!({"up_to_seq": 1})),
    // calls
    row("POST /jobs/{id}/call/token", PARTY).of(Object::AcceptedJob).body(nothing),
    row("POST /jobs/{id}/calls", PARTY).of(Object::AcceptedJob).body(nothing),
    row("GET /jobs/{id}/calls", PARTICIPANT).of(Object::AcceptedJob),
    row("GET /calls/{id}", PARTICIPANT).of(Object::Call),
    row("POST /calls/{id}/accept", PARTY).of(Object::Call).body(nothing),
    row("POST /calls/{id}/reject", PARTY).of(Object::Call).body(nothing),
    row("POST /calls/{id}/end", PARTY).of(Object::Call).body(nothing),
    // wallet
    row("GET /wallet", MECHANIC),
    row("GET /wallet/transactions", MECHANIC),
    row("GET /wallet/upi", MECHANIC),
    row("POST /wallet/upi", MECHANIC).body(new_upi_account),
    row("GET /wallet/upi/{upiAccountId}", OWN_MECHANIC).of(Object::UpiAccount),
    row("POST /wallet/upi/{upiAccountId}/default", OWN_MECHANIC).of(Object::UpiAccount).body(nothing),
    row("POST /wallet/upi/{upiAccountId}/verify", OWN_MECHANIC).of(Object::UpiAccount).body(nothing),
    row("DELETE /wallet/upi/{upiAccountId}", OWN_MECHANIC).of(Object::UpiAccount),
    row("POST /wallet/upi/{upiAccountId}/approve", ADMIN).of(Object::MismatchedUpiAccount).body(nothing),
    row("POST /wallet/upi/{upiAccountId}/reject", ADMIN).of(Object::MismatchedUpiAccount).body(reason),
    row("POST /wallet/withdrawals", MECHANIC).body(|| json!({"amount": 1.5, "upi_account_id": null})),
    row("GET /wallet/withdrawals", MECHANIC),
    row("GET /wallet/withdrawals/{id}", OWN_MECHANIC).of(Object::Withdrawal),
    row("GET /wallet/settlements", MECHANIC),
    row("GET /wallet/settlements/{id}", [401, 403, 403, OK, 404, OK, OK]).of(Object::Settlement),
    row("GET /wallet/refunds/{paymentId}", PARTICIPANT).of(Object::EarnedPayment),
    row("GET /admin/wallet/upi", ADMIN),
    row("GET /admin/withdrawals", ADMIN),
    row("GET /admin/settlements", ADMIN),
    row("POST /admin/settlements/run", ADMIN).body(|| json!({"period_start": "2020-01-01", "period_end": "2020-01-08"})),
    row("POST /admin/settlements/{id}/mark-paid", ADMIN).of(Object::Settlement).body(|| json!({"reference": "NEFT 1"})),
    // notifications
    row("GET /notifications", SIGNED_IN),
    row("GET /notifications/unread-count", SIGNED_IN),
    row("POST /notifications/read-all", SIGNED_IN).body(nothing),
    row("GET /notifications/{id}", OWNER).of(Object::Notification),
    row("POST /notifications/{id}/read", OWNER).of(Object::Notification).body(nothing),
    row("POST /notifications/push-tokens", SIGNED_IN).body(new_push_token),
    row("GET /notifications/push-tokens", SIGNED_IN),
    row("DELETE /notifications/push-tokens/{token}", OWNER).of(Object::PushToken),
    row("GET /notifications/preferences", SIGNED_IN),
    row("PATCH /notifications/preferences", SIGNED_IN).body(|| json!({
        "offers": true, "jobs": false, "payments": true, "wallet": true, "account": true, "messages": false,
    })),
    row("GET /admin/failed-pushes", ADMIN),
    // realtime
    row("POST /ws/ticket", SIGNED_IN),
    row("GET /ws", SIGNED_IN),
    // admin
    row("GET /admin/jobs", ADMIN),
    row("GET /admin/jobs/{id}", ADMIN).of(Object::OpenJob),
    row("GET /admin/jobs/{id}/dispatch", ADMIN).of(Object::OpenJob),
    row("GET /admin/jobs/{id}/candidates", ADMIN).of(Object::OpenJob),
    row("GET /admin/jobs/{id}/cancellation-quote", ADMIN).of(Object::OpenJob),
    row("POST /admin/jobs/{id}/share", ADMIN).of(Object::OpenJob).body(|| json!({"send_to": "customer"})),
    row("POST /admin/jobs/{id}/assign", ADMIN).of(Object::OpenJob).body(|| json!({"mechanic_profile_id": NOBODY})),
    row("POST /admin/jobs/{id}/reassign", ADMIN).of(Object::AcceptedJob).body(reason),
    row("POST /admin/jobs/{id}/retry", ADMIN).of(Object::OpenJob).body(nothing),
    row("POST /admin/jobs/{id}/cancel", ADMIN).of(Object::OpenJob).body(reason),
    row("GET /admin/callbacks", ADMIN),
    row("POST /admin/callbacks/{job_id}/done", ADMIN).of(Object::Callback)
        .body(|| json!({"outcome": "not_reached", "note": "Twice"})),
    row("GET /admin/audit-log", ADMIN),
    row("GET /admin/live", ADMIN),
    row("GET /admin/stats", ADMIN),
    row("GET /admin/sla", ADMIN),
    row("GET /admin/heatmap", ADMIN),
    row("GET /admin/config/dispatch", ADMIN),
    row("GET /admin/dispatch/prices", ADMIN),
    row("GET /admin/dispatch/switchback", ADMIN),
    row("GET /admin/dispatch/roster", ADMIN),
    row("GET /admin/dispatch/roster/picture", ADMIN),
    row("GET /admin/fleet", ADMIN),
    row("PUT /admin/config/dispatch", ADMIN).body(dispatch_settings),
    row("GET /admin/config/dispatch/versions", ADMIN),
    row("GET /admin/users", ADMIN),
    row("POST /admin/users", ADMIN).body(|| json!({"phone": "+14155550102", "name": "Asha Rao"})),
    row("GET /admin/users/{id}", ADMIN).of(Object::User),
    row("GET /admin/users/{id}/vehicles", ADMIN).of(Object::User),
    row("POST /admin/users/{id}/vehicles", ADMIN).of(Object::User).body(new_vehicle),
    row("GET /admin/users/{id}/unpaid-fees", ADMIN).of(Object::User),
    row("POST /admin/users/{id}/jobs/estimate", ADMIN).of(Object::User).body(|| json!({
        "vehicle_id": NOBODY, "service_category_id": FLAT_TYRE, "pickup_lat": HERE.0, "pickup_lng": HERE.1,
    })),
    row("POST /admin/users/{id}/jobs", ADMIN).of(Object::User).body(|| new_job(NOBODY)),
    row("PUT /admin/users/{id}/job-limit", ADMIN).of(Object::User).body(|| json!({"max_open_jobs": 5})),
    row("POST /admin/users/{id}/suspend", ADMIN).of(Object::User).body(reason),
    row("POST /admin/users/{id}/reinstate", ADMIN).of(Object::SuspendedUser).body(nothing),
    row("GET /admin/mechanics", ADMIN),
    row("GET /admin/mechanics/{id}", ADMIN).of(Object::PendingMechanic),
    row("POST /admin/mechanics/{id}/verify", ADMIN).of(Object::PendingMechanic)
        .body(|| json!({"verified_name": "Asha Rao"})),
    row("POST /admin/mechanics/{id}/reject", ADMIN).of(Object::PendingMechanic).body(reason),
    row("POST /admin/mechanics/{id}/suspend", ADMIN).of(Object::VerifiedMechanic).body(reason),
    row("POST /admin/mechanics/{id}/reinstate", ADMIN).of(Object::SuspendedMechanic),
    row("GET /admin/mechanic-changes", ADMIN),
    row("POST /admin/mechanic-changes/{id}/approve", ADMIN).of(Object::MechanicChange).body(nothing),
    row("POST /admin/mechanic-changes/{id}/reject", ADMIN).of(Object::MechanicChange).body(reason),
];

/// People and what they have.
#[derive(Debug)]
pub struct World<'a> {
    pub app: &'a TestApp,
    /// From the second column on.
    people: [Person; 6],
    /// A client of the mechanic in the fourth column.
    profile_id: String,
}

impl<'a> World<'a> {
    pub async fn new(app: &'a TestApp) -> Self {
        let admin = app.admin().await;
        let mechanic = app.verified_mechanic(&admin).await;
        let people = [
            app.customer().await,
            app.customer().await,
            mechanic.client,
            app.verified_mechanic(&admin).await.client,
            admin,
            app.super_admin().await,
        ];
        Self { app, people, profile_id: mechanic.profile_id }
    }

    /// The caller of that column of the table; `None` for the first.
    pub fn caller(&self, column: usize) -> Option<&Person> {
        column.checked_sub(1).map(|index| &self.people[index])
    }

    fn customer(&self) -> &Person {
        &self.people[0]
    }

    fn admin(&self) -> &Person {
        &self.people[4]
    }

    /// Somebody new with the role of the caller of that column.
    pub async fn someone_like(&self, column: usize) -> Person {
        match column {
            5 => self.app.admin().await,
            6 => self.app.super_admin().await,
            _ => self.app.customer().await,
        }
    }

    /// The path of a row, with a new object in it.
    pub async fn path(&self, row: &Row) -> String {
        let id = match row.object {
            Object::Nothing => return row.template().to_owned(),
            Object::Session => self.session().await,
            Object::Vehicle => made(self.customer(), "/vehicles", new_vehicle()).await,
            Object::Category => made(self.admin(), "/service-categories", new_category()).await,
            Object::User => self.app.customer().await.user_id,
            Object::SuspendedUser => {
                let id = self.app.customer().await.user_id;
                self.as_admin(&format!("/admin/users/{id}/suspend"), reason()).await;
                id
            }
            Object::Invite => made(&self.people[5], "/super-admin/invites", new_invite()).await,
            Object::PendingMechanic => self.app.registered_mechanic().await.profile_id,
            Object::VerifiedMechanic => self.verified_mechanic().await,
            Object::SuspendedMechanic => {
                let id = self.verified_mechanic().await;
                self.as_admin(&format!("/admin/mechanics/{id}/suspend"), reason()).await;
                id
            }
            Object::MechanicChange => self.mechanic_change().await,
            Object::Document => {
                let new = json!({"type": "other", "file_url": "https://files.example/a.pdf"});
                made(&self.people[2], "/mechanics/me/documents", new).await
            }
            Object::OpenJob => self.open_job().await,
            Object::Callback => {
                let job = self.open_job().await;
                self.customer().post(&format!("/jobs/{job}/callback"), nothing()).await.expect(200);
                job
            }
            Object::AcceptedJob => self.accepted_job().await,
            Object::LostJob => {
                let job = self.accepted_job().await;
                self.as_admin(&format!("/admin/jobs/{job}/reassign"), reason()).await;
                set_lost_by_silence(&self.app.database.db, &job).await;
                let id = JobId(job.parse().expect("a UUID"));
                self.app.service.engine.refresh(id).await.expect("the job's actor");
                job
            }
            Object::LineItem => {
                let (job, item) = self.line_item().await;
                return fill(&row.template().replace("{item_id}", &item), &job);
            }
            Object::JobPhoto => {
                let job = self.accepted_job().await;
                let new = json!({"stage": "before", "file_url": "https://files.example/a.jpg"});
                let photo = made(self.customer(), &format!("/jobs/{job}/photos"), new).await;
                return fill(&row.template().replace("{item_id}", &photo), &job);
            }
            Object::DoneJob => self.done_job().await,
            Object::Rating => {
                let path = format!("/jobs/{}/rating", self.done_job().await);
                made(self.customer(), &path, json!({"score": 2})).await
            }
            Object::Share => {
                let (job, link) = self.share().await;
                return fill(&row.template().replace("{share_id}", &id_of(&link)), &job);
            }
            Object::ShareToken => self.share().await.1["token"].as_str().expect("a token").to_owned(),
            Object::GuestToken => self.guest_token().await.1,
            Object::CallToGuest => {
                let (job, token) = self.guest_token().await;
                let call = made(&self.people[2], &format!("/jobs/{job}/calls"), nothing()).await;
                return fill(&row.template().replace("{id}", &call), &token);
            }
            Object::CallByGuest => {
                let (_, token) = self.guest_token().await;
                let call = self.app.anonymous().post(&format!("/track/{token}/calls"), nothing()).await;
                return fill(&row.template().replace("{id}", &id_of(&call.expect(201))), &token);
            }
            Object::Call => {
                let path = format!("/jobs/{}/calls", self.accepted_job().await);
                made(self.customer(), &path, nothing()).await
            }
            Object::DisputedJob => self.disputed_job().await.0,
            Object::Dispute => self.disputed_job().await.1,
            Object::NoShow => {
                let id = self.accepted_job().await;
                insert_no_show(&self.app.database.db, &id).await;
                id
            }
            Object::Offer => self.offer().await,
            Object::Payment => self.payment().await,
            Object::Refund => self.refund().await,
            Object::WebhookEvent => self.webhook_event().await,
            Object::DeadWebhookEvent => {
                let id = self.webhook_event().await;
                set_dead(&self.app.database.db, &id).await;
                id
            }
            Object::ParkedPayment => insert_parked_payment(&self.app.database.db).await,
            Object::GatewayOrder => self.app.gateway_order(50_000).await,
            Object::UpiAccount => self.upi_account("ravi").await,
            Object::MismatchedUpiAccount => self.mismatched_upi_account().await,
            Object::Withdrawal => insert_withdrawal(&self.app.database.db, &self.profile_id).await,
            Object::Settlement => insert_settlement(&self.app.database.db, &self.profile_id).await,
            Object::Notification => self.notification().await,
            Object::PushToken => self.push_token().await,
            Object::EarnedPayment => self.earned_payment().await,
            Object::Upload => uploaded(self.customer(), "document", &photo()).await.id,
            Object::SentUpload => sent(self.customer(), "document", &photo()).await.id,
            Object::PutLink => return presigned(self.customer(), "document", &photo()).await.put_path,
            Object::GetLink => {
                let upload = uploaded(self.customer(), "document", &photo()).await;
                return upload.link_path(self.customer()).await;
            }
        };
        fill(row.template(), &id)
    }

    /// The only open job of the customer, so that the mechanic is free for it.
    async fn open_job(&self) -> String {
        let open = "pending,dispatching,accepted,en_route,arrived,in_progress,no_mechanic_found";
        let jobs = self.customer().get(&format!("/jobs?limit=100&status={open}")).await.expect(200);
        for job in jobs["data"].as_array().into_iter().flatten() {
            self.as_admin(&format!("/admin/jobs/{}/cancel", id_of(job)), reason()).await;
            let vehicle = job["vehicle_id"].as_str().expect("an id");
            self.customer().delete(&format!("/vehicles/{vehicle}")).await.expect(204);
        }
        let vehicle = made(self.customer(), "/vehicles", new_vehicle()).await;
        made(self.customer(), "/jobs", new_job(&vehicle)).await
    }

    async fn accepted_job(&self) -> String {
        let id = self.open_job().await;
        let body = json!({"mechanic_profile_id": self.profile_id, "override_reason": "nobody else is near"});
        self.as_admin(&format!("/admin/jobs/{id}/assign"), body).await;
        id
    }

    /// In progress. An admin who ends it to make room for the next one leaves no fee behind.
    async fn job_at_work(&self) -> String {
        let (job, mechanic) = (self.accepted_job().await, &self.people[2]);
        mechanic.post(&format!("/jobs/{job}/en-route"), nothing()).await.expect(200);
        let here = json!({"override_reason": "beside the flyover"});
        mechanic.post(&format!("/jobs/{job}/arrive"), here).await.expect(200);
        let code = self.customer().get(&format!("/jobs/{job}")).await.expect(200)["start_code"].clone();
        mechanic.post(&format!("/jobs/{job}/start"), json!({"start_code": code})).await.expect(200);
        job
    }

    async fn done_job(&self) -> String {
        let (job, mechanic) = (self.job_at_work().await, &self.people[2]);
        let done =
            mechanic.post(&format!("/jobs/{job}/complete"), json!({"outcome": "fixed"})).await.expect(200);
        // One person may have only a few vehicles.
        let vehicle = done["vehicle_id"].as_str().expect("an id");
        self.customer().delete(&format!("/vehicles/{vehicle}")).await.expect(204);
        job
    }

    /// The job, and a link to it.
    async fn share(&self) -> (String, Value) {
        let job = self.open_job().await;
        let link = self.customer().post(&format!("/jobs/{job}/share"), nothing()).await.expect(201);
        (job, link)
    }

    /// An accepted job, and the token of a link to it whose holder may talk.
    async fn guest_token(&self) -> (String, String) {
        let job = self.accepted_job().await;
        let rights = json!({"may_contact": true});
        let link = self.customer().post(&format!("/jobs/{job}/share"), rights).await.expect(201);
        (job, link["token"].as_str().expect("a token").to_owned())
    }

    /// The job, and its dispute.
    async fn disputed_job(&self) -> (String, String) {
        let job = self.done_job().await;
        let dispute = made(self.customer(), &format!("/jobs/{job}/dispute"), new_dispute()).await;
        (job, dispute)
    }

    async fn line_item(&self) -> (String, String) {
        let (job, mechanic) = (self.job_at_work().await, &self.people[2]);
        let item = made(mechanic, &format!("/jobs/{job}/line-items"), new_line_item()).await;
        (job, item)
    }

    async fn offer(&self) -> String {
        let mechanic = &self.people[2];
        let online = json!({"is_available": true, "lat": HERE.0, "lng": HERE.1});
        mechanic.put("/mechanics/me/availability", online).await.expect(200);
        let job = self.open_job().await;
        within("the mechanic is offered the job", async {
            loop {
                let offers = mechanic.get("/mechanics/me/offers").await.expect(200);
                let mut offers = offers["data"].as_array().into_iter().flatten();
                if let Some(offer) = offers.find(|offer| offer["job_id"] == *job) {
                    return id_of(offer);
                }
            }
        })
        .await
    }

    async fn payment(&self) -> String {
        let job = self.open_job().await;
        let body = json!({"mechanic_profile_id": self.profile_id, "override_reason": "nobody else is near"});
        self.as_admin(&format!("/admin/jobs/{job}/assign"), body).await;
        let mechanic = &self.people[2];
        let code = self.customer().get(&format!("/jobs/{job}")).await.expect(200)["start_code"].clone();
        for (verb, body) in [
            ("en-route", nothing()),
            ("arrive", json!({"override_reason": "beside the flyover"})),
            ("start", json!({"start_code": code})),
            ("complete", json!({"outcome": "fixed"})),
        ] {
            mechanic.post(&format!("/jobs/{job}/{verb}"), body).await.expect(200);
        }
        let order = json!({"job_id": job, "method": "cash"});
        let made = self.customer().post("/payments/orders", order).await.expect(201);
        made["payment_id"].as_str().expect("an id").to_owned()
    }

    async fn refund(&self) -> String {
        let payment = self.payment().await;
        for person in [&self.people[0], &self.people[2]] {
            person.post(&format!("/payments/{payment}/cash-confirm"), price()).await.expect(200);
        }
        let refund = json!({"amount": 1.5, "reason": "flat again"});
        made(self.admin(), &format!("/payments/{payment}/refunds"), refund).await
    }

    async fn webhook_event(&self) -> String {
        let event = json!({"event": "invoice.paid", "payload": {"number": number()}});
        self.app.webhook(&event).await.expect(200);
        let events = self.admin().get("/admin/webhook-events?limit=1").await.expect(200);
        id_of(&events["data"][0])
    }

    /// A new one each time: the mechanic may have only a few.
    async fn upi_account(&self, local: &str) -> String {
        let mechanic = &self.people[2];
        let accounts = mechanic.get("/wallet/upi").await.expect(200);
        for account in accounts["data"].as_array().into_iter().flatten() {
            mechanic.delete(&format!("/wallet/upi/{}", id_of(account))).await.expect(204);
        }
        let new = json!({"vpa": format!("{local}{}@okbank", number()), "holder_name": "Asha Rao"});
        made(mechanic, "/wallet/upi", new).await
    }

    async fn mismatched_upi_account(&self) -> String {
        let id = self.upi_account("ravi").await;
        set_name_mismatch(&self.app.database.db, &id).await;
        id
    }

    /// The notification that the mechanic took the job.
    async fn notification(&self) -> String {
        self.accepted_job().await;
        let shown = self.customer().get("/notifications?type=job_accepted&limit=1").await.expect(200);
        id_of(&shown["data"][0])
    }

    async fn push_token(&self) -> String {
        let new = new_push_token();
        self.customer().post("/notifications/push-tokens", new.clone()).await.expect(201);
        new["token"].as_str().expect("a token").to_owned()
    }

    async fn earned_payment(&self) -> String {
        let vehicle = self.customer().post("/vehicles", new_vehicle()).await.expect(201);
        let earning = Earning { customer: Some(vehicle), ..Earning::of(&self.profile_id, 10_000) };
        insert_earning(&self.app.database.db, earning).await.payment_id.to_string()
    }

    async fn verified_mechanic(&self) -> String {
        self.app.verified_mechanic(self.admin()).await.profile_id
    }

    async fn mechanic_change(&self) -> String {
        let mechanic = self.app.verified_mechanic(self.admin()).await.client;
        let wider = json!({"vehicle_types": ["two_wheeler", "three_wheeler"]});
        let asked = mechanic.patch("/mechanics/me", wider).await.expect(200);
        id_of(&asked["pending_change"])
    }

    async fn as_admin(&self, path: &str, body: Value) {
        self.admin().post(path, body).await.expect(200);
    }

    async fn session(&self) -> String {
        let customer = self.customer();
        self.app.sign_in(&customer.phone).await;
        let sessions = customer.get("/auth/sessions").await.expect(200);
        let mut sessions = sessions["data"].as_array().into_iter().flatten();
        id_of(sessions.find(|session| session["isCurrent"] == false).expect("the second sign-in"))
    }
}

async fn made(by: &Person, path: &str, body: Value) -> String {
    id_of(&by.post(path, body).await.expect(201))
}

/// A path with `id` as its first parameter.
pub fn fill(template: &str, id: &str) -> String {
    let parts = template.split('/').map(|part| if part.starts_with('{') { id } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn nothing() -> Value {
    json!({})
}

/// The total of a job without line items.
fn price() -> Value {
    json!({"amount": 299})
}

fn reason() -> Value {
    json!({"reason": "papers have run out"})
}

/// Different each time: a plate belongs to one vehicle, a slug to one category.
fn number() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

fn new_invite() -> Value {
    json!({"email": format!("kiran{}@example.com", number()), "role": "admin"})
}

fn dispatch_settings() -> Value {
    json!({"version": 0, "settings": {
        "rings_km": [2.0, 4.0], "round_widths": [1, 2], "max_rounds": 5, "offer_ttl_s": 15, "attempt_ttl_s": 120,
        "urgent_first_round": 2, "window_ms": 400, "unserved_s": 3600, "waiting_weight_s_per_min": 5,
        "highway_bonus_s": 200, "accident_bonus_s": 500, "refusal_weight_s": 30, "idle_weight_s_per_min": 2,
        "mechanic_prices": true, "worth_s": 1800, "in_time_s": 2400, "late_percent": 20, "eta_sigma": 0.3,
        "price_window_s": 1800, "hold_accidents": true, "advice_after_s": 60,
    }})
}

fn new_vehicle() -> Value {
    json!({
        "vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
        "registration_number": format!("KA{:06}", number()),
        "year": 2021, "fuel_type": "petrol", "color": "black", "is_default": true,
    })
}

fn new_job(vehicle: &str) -> Value {
    json!({
        "vehicle_id": vehicle, "service_category_id": FLAT_TYRE, "pickup_address": "MG Road, opposite the park",
        "pickup_lat": HERE.0, "pickup_lng": HERE.1, "description": "flat at the back",
        "photo_urls": ["https://files.example/a.jpg"], "beneficiary_name": "Ravi",
        "beneficiary_phone": "+919812300000", "contact_preference": "both", "urgency": "normal", "scheduled_for": null,
    })
}

fn new_guest_message() -> Value {
    json!({
        "client_message_id": format!("019ceb79-1a20-7b20-9e32-{:012}", number()), "type": "text", "body": "Behind the barrier",
        "lat": null, "lng": null,
    })
}

fn new_message() -> Value {
    json!({
        "client_message_id": format!("019ceb78-6b20-7b20-9e32-{:012}", number()), "type": "text", "body": "Beside the metro pillar",
        "file_url": null, "lat": null, "lng": null,
    })
}

fn new_line_item() -> Value {
    json!({
        "type": "part", "description": "Tubeless valve", "quantity": 1, "unit_price": 120,
        "photo_url": "https://files.example/valve.jpg",
    })
}

fn new_dispute() -> Value {
    json!({
        "reason_code": "poor_work", "description": "Flat again", "evidence_urls": ["https://files.example/flat.jpg"],
    })
}

fn new_upi_account() -> Value {
    json!({"vpa": format!("ravi{}@okbank", number()), "holder_name": "Asha Rao"})
}

fn new_push_token() -> Value {
    let number = number();
    json!({"token": format!("phone:{number}"), "platform": "android", "device_id": format!("device-{number}")})
}

fn new_category() -> Value {
    json!({
        "name": "Chain and sprocket", "slug": format!("chain-{}", number()), "description": "On the spot",
        "icon_url": "https://files.example/chain.svg", "vehicle_types": ["two_wheeler"], "base_price": 199.5,
        "per_km_price": 12, "free_km": 2, "estimated_duration_min": 40, "offer_ttl_s": 25, "attempt_ttl_s": 200,
        "rings_km": [3.0, 6.0], "round_widths": [1, 2], "max_rounds": 4, "urgent_first_round": 2,
        "is_active": true, "sort_order": 9,
    })
}
