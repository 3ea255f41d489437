//! Ratings on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{AdminRatingRow, PublicRow, RatingRow};
use crate::{
    accounts::users::{Contacts, CustomerContact, MechanicContact},
    fleet::mechanics,
    http::{CsvRow, Items, Param, Text, Timestamp, ValidationErrors, WholeNumber, text_enum},
};

/// The maximum number of tags of a rating.
pub const MAX_TAGS: usize = 5;

text_enum! {
    /// The side of the job that rates; it rates the other side.
    Rater { Customer = "customer", Mechanic = "mechanic", }
}

text_enum! {
    /// The subject of a rating, besides its score. `polite` and `rude` are for both sides, the tags before them rate mechanics,
    /// those after them customers.
    RatingTag {
        OnTime = "on_time",
        Skilled = "skilled",
        FairPrice = "fair_price",
        ExplainedWell = "explained_well",
        LeftItClean = "left_it_clean",
        Late = "late",
        Unskilled = "unskilled",
        Overcharged = "overcharged",
        Unsafe = "unsafe",
        Polite = "polite",
        Rude = "rude",
        EasyToFind = "easy_to_find",
        Patient = "patient",
        PaidPromptly = "paid_promptly",
        HardToFind = "hard_to_find",
        NotAtTheVehicle = "not_at_the_vehicle",
        UnsafePlace = "unsafe_place",
        SlowToPay = "slow_to_pay",
    }
}

impl RatingTag {
    /// Returns whether this side may use the tag for the other.
    pub fn is_for(self, rater: Rater) -> bool {
        match self {
            RatingTag::Polite | RatingTag::Rude => true,
            RatingTag::OnTime
            | RatingTag::Skilled
            | RatingTag::FairPrice
            | RatingTag::ExplainedWell
            | RatingTag::LeftItClean
            | RatingTag::Late
            | RatingTag::Unskilled
            | RatingTag::Overcharged
            | RatingTag::Unsafe => rater == Rater::Customer,
            RatingTag::EasyToFind
            | RatingTag::Patient
            | RatingTag::PaidPromptly
            | RatingTag::HardToFind
            | RatingTag::NotAtTheVehicle
            | RatingTag::UnsafePlace
            | RatingTag::SlowToPay => rater == Rater::Mechanic,
        }
    }
}

text_enum! {
    /// Why an admin hides a rating.
    HiddenReason {
        Abusive = "abusive",
        PersonalData = "personal_data",
        OffTopic = "off_topic",
        Fraud = "fraud",
        Other = "other",
    }
}

/// A rating of the other side.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewRating {
    /// The score from 1 to 5; 5 is best.
    pub score: WholeNumber<1, 5>,
    /// Tags for the other side; repeated ones count once.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<RatingTag>>, max_items = 5)]
    pub tags: Option<Items<RatingTag, 0, MAX_TAGS>>,
    #[deserr(default)]
    pub comment: Option<Text<1, 1000>>,
}

impl NewRating {
    /// Returns an error for each tag that this side may not use.
    pub fn errors(&self, rater: Rater) -> ValidationErrors {
        let mut errors = ValidationErrors::default();
        for (index, tag) in self.tags.iter().flat_map(|tags| &tags.0).enumerate() {
            if !tag.is_for(rater) {
                let accepted = RatingTag::ALL.iter().filter(|tag| tag.is_for(rater));
                let accepted: Vec<&str> = accepted.map(|tag| tag.as_str()).collect();
                errors.add(format!("tags[{index}]"), format!("must be one of {}", accepted.join(", ")));
            }
        }
        errors
    }
}

/// A rating, as its writer and the rated person see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rating {
    pub id: Uuid,
    pub job_id: Uuid,
    pub rater: Rater,
    pub score: i32,
    pub tags: Vec<RatingTag>,
    pub comment: Option<String>,
    /// Whether an admin hid the rating: it then does not count, and nobody else sees it.
    pub is_hidden: bool,
    pub created_at: Timestamp,
}

impl From<RatingRow> for Rating {
    fn from(row: RatingRow) -> Self {
        Self {
            id: row.id,
            job_id: row.job_id,
            rater: row.rater,
            score: row.score,
            tags: row.tags,
            comment: row.comment,
            is_hidden: row.hidden_at.is_some(),
            created_at: row.created_at.into(),
        }
    }
}

/// The ratings of the two sides of a job. A side always sees its own rating. It sees the other's once both have rated or the time
/// for rating is over, and never a hidden one.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobRatings {
    #[schema(example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01")]
    pub job_id: Uuid,
    /// Until when the job can be rated; null if it can't be, because it is not done or is disputed.
    #[schema(example = "2026-03-21T08:59:30.000Z")]
    pub ratable_until: Option<Timestamp>,
    /// Whether each side sees the other's rating.
    #[schema(example = true)]
    pub is_revealed: bool,
    pub by_customer: Option<Rating>,
    pub by_mechanic: Option<Rating>,
}

/// A customer's rating of a mechanic, as everybody who is signed in sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MechanicRating {
    pub id: Uuid,
    pub score: i32,
    pub tags: Vec<RatingTag>,
    pub comment: Option<String>,
    /// The customer's first name; null if they have no name, or deleted their account.
    pub first_name: Option<String>,
    pub created_at: Timestamp,
}

impl From<PublicRow> for MechanicRating {
    fn from(row: PublicRow) -> Self {
        Self {
            id: row.id,
            score: row.score,
            tags: row.tags,
            comment: row.comment,
            first_name: row.name.as_deref().and_then(mechanics::first_name),
            created_at: row.created_at.into(),
        }
    }
}

/// A rating as admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingForAdmin {
    pub id: Uuid,
    pub job_id: Uuid,
    pub rater: Rater,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub score: i32,
    pub tags: Vec<RatingTag>,
    pub comment: Option<String>,
    /// When an admin hid the rating; null if nobody did.
    pub hidden_at: Option<Timestamp>,
    /// The admin who hid the rating.
    pub hidden_by: Option<Uuid>,
    pub hidden_reason: Option<HiddenReason>,
    pub created_at: Timestamp,
    #[serde(flatten)]
    pub customer: CustomerContact,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
}

impl CsvRow for RatingForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] =
        &[CustomerContact::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "job_id",
        "rater",
        "customer_id",
        "mechanic_profile_id",
        "score",
        "tags",
        "comment",
        "hidden_at",
        "hidden_by",
        "hidden_reason",
        "created_at",
    ];
}

impl RatingForAdmin {
    pub fn of(row: AdminRatingRow, contacts: &Contacts) -> Self {
        Self {
            customer: contacts.customer(row.customer_id),
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            id: row.rating.id,
            job_id: row.rating.job_id,
            rater: row.rating.rater,
            customer_id: row.customer_id,
            mechanic_profile_id: row.mechanic_profile_id,
            score: row.rating.score,
            tags: row.rating.tags,
            comment: row.rating.comment,
            hidden_at: row.rating.hidden_at.map(Into::into),
            hidden_by: row.hidden_by,
            hidden_reason: row.hidden_reason,
            created_at: row.rating.created_at.into(),
        }
    }
}

/// `?reason=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Hide {
    #[deserr(default)]
    pub reason: Option<Param<HiddenReason>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(tags: Vec<RatingTag>, rater: Rater) -> Vec<String> {
        let score = WholeNumber::new(4).expect("in range");
        let rating = NewRating { score, tags: Some(Items(tags)), comment: None };
        rating.errors(rater).0.into_keys().collect()
    }

    #[test]
    fn each_side_has_its_own_tags_and_each_tag_a_side() {
        let tags = vec![RatingTag::Polite, RatingTag::OnTime, RatingTag::SlowToPay];
        assert_eq!(faults_of(tags.clone(), Rater::Customer), ["tags[2]"]);
        assert_eq!(faults_of(tags, Rater::Mechanic), ["tags[1]"]);
        for tag in RatingTag::ALL {
            assert!(Rater::ALL.iter().any(|rater| tag.is_for(*rater)), "{tag} is for nobody");
        }
    }
}
