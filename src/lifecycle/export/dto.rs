use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    accounts::{auth::Session, notices::ConsentRecord, uploads::Upload, users::Me},
    catalogue::vehicles::Vehicle,
    fleet::mechanics::{OwnMechanicProfile, ParkedAt},
    grievances::Grievance,
    http::Timestamp,
    jobs::{Job, JobPhoto, LineItem},
    mails::MailRecord,
    messaging::{calls::Call, chat::ChatMessage},
    money::{
        disputes::{Dispute, DisputeStatement},
        no_shows::NoShow,
        payments::{Payment, UnpaidFee},
        tow_reviews::ReviewedTow,
        wallet::{PaymentRefund, Settlement, UpiAccount, Wallet, WalletTransaction, Withdrawal},
    },
    notifications::{Notification, Preferences, PushToken},
    offers::Offer,
    sharing::{ratings::Rating, shares::ShareLink},
    tracking::{KeptPoint, Tracker},
};

/// Everything that the service stores about a person. Each list has the form of the API, and is cut to its newest entries.
#[derive(Debug, Serialize, ToSchema)]
pub struct Export {
    /// The moment of which this is a snapshot.
    #[schema(example = "2026-03-20T10:00:00.000Z")]
    pub exported_at: Timestamp,
    /// The names of the lists that were cut; `wallet.transactions` is a list within `wallet`.
    #[schema(example = json!(["notifications"]))]
    pub truncated: Vec<&'static str>,
    pub user: Me,
    /// The privacy notices that the person agreed to, and those agreements that they withdrew.
    pub consents: Vec<ConsentRecord>,
    /// The sessions that are still valid.
    pub sessions: Vec<Session>,
    pub vehicles: Vec<Vehicle>,
    /// Null unless the person is a mechanic.
    pub mechanic_profile: Option<OwnMechanicProfile>,
    /// Why the mechanic's profile is suspended; null if it is not.
    #[schema(example = json!(null))]
    pub mechanic_suspension_reason: Option<String>,
    /// The mechanic's last known position.
    pub last_position: Option<KeptPoint>,
    /// The place where the mechanic waits for jobs; null if they don't wait at a place.
    pub parked: Option<ParkedAt>,
    /// The mechanic's positions during the jobs below.
    pub positions: Vec<KeptPoint>,
    /// Apps that send a mechanic's positions while the screen is off.
    pub trackers: Vec<Tracker>,
    /// Every offer to the mechanic, whatever its outcome.
    pub offers: Vec<Offer>,
    /// Jobs as customer and as mechanic, as that side sees them.
    pub jobs: Vec<Job>,
    /// The line items of the jobs above.
    pub line_items: Vec<LineItem>,
    /// The photos of the jobs above.
    pub job_photos: Vec<JobPhoto>,
    /// The person's messages about jobs, and other people's messages to them about jobs that they see.
    pub messages: Vec<ChatMessage>,
    /// Payments as customer and as the mechanic who is paid.
    pub payments: Vec<Payment>,
    /// The refunds of the payments above.
    pub refunds: Vec<PaymentRefund>,
    /// Unpaid cancellation fees, the oldest first.
    pub fees: Vec<UnpaidFee>,
    /// Null unless the person is a mechanic.
    pub wallet: Option<ExportedWallet>,
    pub disputes: Vec<Dispute>,
    /// The statements of both sides in the disputes above.
    pub dispute_statements: Vec<DisputeStatement>,
    /// The no-shows as customer and as the mechanic who reported them.
    pub no_shows: Vec<NoShow>,
    /// Tows that an admin reviews, as customer and as the mechanic who handed the vehicle over.
    pub tow_reviews: Vec<ReviewedTow>,
    pub ratings: ExportedRatings,
    /// Calls as caller and as callee.
    pub calls: Vec<Call>,
    pub notifications: Vec<Notification>,
    pub notification_preferences: Preferences,
    /// The mails of the last 30 days.
    pub mails: Vec<MailRecord>,
    /// The devices, without their tokens.
    pub push_devices: Vec<PushToken>,
    pub uploads: Vec<Upload>,
    /// The links, without their tokens.
    pub share_links: Vec<ShareLink>,
    /// The person's questions and complaints about their data, with the answers.
    pub grievances: Vec<Grievance>,
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

/// The ratings that a person gave and received.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExportedRatings {
    pub given: Vec<Rating>,
    /// The ratings that the person may read.
    pub received: Vec<Rating>,
}
