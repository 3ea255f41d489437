use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    accounts::{auth::Session, uploads::Upload, users::Me},
    catalogue::vehicles::Vehicle,
    fleet::mechanics::OwnMechanicProfile,
    http::Timestamp,
    jobs::{Job, JobPhoto, LineItem},
    messaging::{calls::Call, chat::ChatMessage},
    money::{
        disputes::{Dispute, DisputeStatement},
        payments::{Payment, UnpaidFee},
        wallet::{PaymentRefund, Settlement, UpiAccount, Wallet, WalletTransaction, Withdrawal},
    },
    notifications::{Notification, Preferences, PushToken},
    offers::Offer,
    sharing::{ratings::Rating, shares::ShareLink},
    tracking::KeptPoint,
};

/// All that is held of a person. Each list is as the interface gives it, cut to the newest.
#[derive(Debug, Serialize, ToSchema)]
pub struct Export {
    /// As everything stood then.
    #[schema(example = "2026-03-20T10:00:00.000Z")]
    pub exported_at: Timestamp,
    /// The lists that had more than they show here, by their names; `wallet.transactions` is one within `wallet`.
    #[schema(example = json!(["notifications"]))]
    pub truncated: Vec<&'static str>,
    pub user: Me,
    /// Those that are live.
    pub sessions: Vec<Session>,
    pub vehicles: Vec<Vehicle>,
    /// Null for whoever is no mechanic.
    pub mechanic_profile: Option<OwnMechanicProfile>,
    /// Why the mechanic's profile is suspended; null where it is not.
    #[schema(example = json!(null))]
    pub mechanic_suspension_reason: Option<String>,
    /// Where the mechanic was seen last.
    pub last_position: Option<KeptPoint>,
    /// Where the mechanic was on the jobs below.
    pub positions: Vec<KeptPoint>,
    /// What the mechanic was asked, whatever became of it.
    pub offers: Vec<Offer>,
    /// As customer and as mechanic, as that side sees them.
    pub jobs: Vec<Job>,
    /// Of the jobs above.
    pub line_items: Vec<LineItem>,
    /// Of the jobs above.
    pub job_photos: Vec<JobPhoto>,
    /// What the person wrote about jobs, and what was written to them about those that they see.
    pub messages: Vec<ChatMessage>,
    /// As customer and as the mechanic that is paid.
    pub payments: Vec<Payment>,
    /// Of the payments above.
    pub refunds: Vec<PaymentRefund>,
    /// Cancellation fees that are unpaid, the oldest first.
    pub fees: Vec<UnpaidFee>,
    /// Null for whoever is no mechanic.
    pub wallet: Option<ExportedWallet>,
    pub disputes: Vec<Dispute>,
    /// What both sides said in the disputes above.
    pub dispute_statements: Vec<DisputeStatement>,
    pub ratings: ExportedRatings,
    /// As caller and as callee.
    pub calls: Vec<Call>,
    pub notifications: Vec<Notification>,
    pub notification_preferences: Preferences,
    /// Without their tokens.
    pub push_devices: Vec<PushToken>,
    pub uploads: Vec<Upload>,
    /// Without their tokens.
    pub share_links: Vec<ShareLink>,
}

/// A mechanic's money.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExportedWallet {
    pub balances: Wallet,
    pub accounts: Vec<UpiAccount>,
    pub withdrawals: Vec<Withdrawal>,
    pub transactions: Vec<WalletTransaction>,
    pub settlements: Vec<Settlement>,
}

/// What a person said of others, and others of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExportedRatings {
    pub given: Vec<Rating>,
    /// Those that the person may read.
    pub received: Vec<Rating>,
}
