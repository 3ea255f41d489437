//! The words of contracts. Pure.

use crate::http::text_enum;

text_enum! {
    /// How the price of a kind of help is agreed.
    PricingRule {
        /// The price that the service quotes.
        Quoted = "quoted",
        /// A call-out with included kilometres to the destination, and a price for each further one.
        Agreed = "agreed",
    }
}

text_enum! {
    /// The decision that counts if a partner does not decide about extra work in time.
    ApprovalDefault { Approve = "approve", Reject = "reject", }
}

text_enum! {
    /// A text message to the person who is helped.
    BeneficiaryText {
        /// The link to follow the job.
        Link = "link",
        /// When help will come.
        Eta = "eta",
        /// The news that the mechanic is there.
        Arrival = "arrival",
        /// The question how it was.
        Rating = "rating",
    }
}

text_enum! {
    /// Why a contract does not cover a job.
    NotCovered {
        /// The contract has not begun, or is over.
        NotValid = "not_valid",
        /// The contract has no terms for this kind of help.
        CategoryNotCovered = "category_not_covered",
        /// The destination is farther away than the contract covers.
        DestinationTooFar = "destination_too_far",
    }
}

impl NotCovered {
    /// Returns the reason in words that continue the name of a field.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::NotValid => "has not begun, or is over",
            Self::CategoryNotCovered => "is not covered by the contract",
            Self::DestinationTooFar => "is farther away than the contract covers",
        }
    }
}
