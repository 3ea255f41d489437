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

/// Everything that is stored about a person. Each list is as the API returns it, cut to the newest.
#[derive(Debug, Serialize, ToSchema)]
pub struct Export {
    /// Everything is as it was at this moment.
    #[schema(example = "2026-03-20T10:00:00.000Z")]
    pub exported_at: Timestamp,
    /// The names of the lists that were cut; `wallet.transactions` is a list within `wallet`.
    #[schema(example = json!(["notifications"]))]
    pub truncated: Vec<&'static str>,
    pub user: Me,
    /// What the person agreed to of the privacy notice, and withdrew.
    pub consents: Vec<ConsentRecord>,
    /// Only live ones.
    pub sessions: Vec<Session>,
    pub vehicles: Vec<Vehicle>,
    /// Null unless the person is a mechanic.
    pub mechanic_profile: Option<OwnMechanicProfile>,
    /// Why the mechanic's profile is suspended; null where it is not.
    #[schema(example = json!(null))]
    pub mechanic_suspension_reason: Option<String>,
    /// The mechanic's last known position.
    pub last_position: Option<KeptPoint>,
    /// Where the mechanic waits for jobs; null if they don't.
    pub parked: Option<ParkedAt>,
    /// Where the mechanic was on the jobs below.
    pub positions: Vec<KeptPoint>,
    /// Apps that send a mechanic's positions with the screen off.
    pub trackers: Vec<Tracker>,
    /// Every offer to the mechanic, whatever its outcome.
    pub offers: Vec<Offer>,
    /// As customer and as mechanic, as that side sees them.
    pub jobs: Vec<Job>,
    /// On the jobs above.
    pub line_items: Vec<LineItem>,
    /// On the jobs above.
    pub job_photos: Vec<JobPhoto>,
    /// What the person wrote about jobs, and what others wrote to them about jobs that they see.
    pub messages: Vec<ChatMessage>,
    /// As customer and as the mechanic that is paid.
    pub payments: Vec<Payment>,
    /// Of the payments above.
    pub refunds: Vec<PaymentRefund>,
    /// Cancellation fees that are unpaid, the oldest first.
    pub fees: Vec<UnpaidFee>,
    /// Null unless the person is a mechanic.
    pub wallet: Option<ExportedWallet>,
    pub disputes: Vec<Dispute>,
    /// What both sides said in the disputes above.
    pub dispute_statements: Vec<DisputeStatement>,
    /// As customer and as the mechanic who reported it.
    pub no_shows: Vec<NoShow>,
    /// Tows that an admin looks at, as customer and as the mechanic who handed the vehicle over.
    pub tow_reviews: Vec<ReviewedTow>,
    pub ratings: ExportedRatings,
    /// As caller and as callee.
    pub calls: Vec<Call>,
    pub notifications: Vec<Notification>,
    pub notification_preferences: Preferences,
    /// Of the last 30 days.
    pub mails: Vec<MailRecord>,
    /// Without their tokens.
    pub push_devices: Vec<PushToken>,
    pub uploads: Vec<Upload>,
    /// Without their tokens.
    pub share_links: Vec<ShareLink>,
    /// What the person asked or complained about their data, with the answers.
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

/// What a person said of others, and others of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExportedRatings {
    pub given: Vec<Rating>,
    /// Those that the person may read.
    pub received: Vec<Rating>,
}
