//! The engine's enums of jobs and offers, as the document describes them. The areas that show them are above this crate.

use roadcall_actors::{
    concern::Concern,
    job::state::{ItemKind, ItemStatus, LeaveReason, Outcome, Status, Urgency},
    ports::{OfferStatus, WaitReason},
};

use super::DescribedEnum;

impl DescribedEnum for Status {
    const SCHEMA: &'static str = "JobStatus";
    const DESCRIPTION: Option<&'static str> = Some("Contract 3.1.");
}

impl DescribedEnum for Urgency {
    const SCHEMA: &'static str = "Urgency";
    const DESCRIPTION: Option<&'static str> =
        Some("Accident and highway jobs are offered to several mechanics from the start.");
}

impl DescribedEnum for Outcome {
    const SCHEMA: &'static str = "Outcome";
    const DESCRIPTION: Option<&'static str> =
        Some("How the work ended. towed: the vehicle was handed over at its destination.");
}

impl DescribedEnum for Concern {
    const SCHEMA: &'static str = "JobConcern";
    const DESCRIPTION: Option<&'static str> = Some(
        "What is wrong with the mechanic on its way: nothing is heard of it, it stands still, it gets farther away, or it\nwill be late.",
    );
}

impl DescribedEnum for LeaveReason {
    const SCHEMA: &'static str = "LeaveReason";
    const DESCRIPTION: Option<&'static str> = Some(
        "Why a mechanic left a job. They gave it back (vehicle_trouble, cannot_reach, missing_parts, wrong_skill, personal, other), or\nit was taken from them: nothing came from their phone (silent), they stood still (stalled), got farther away (moving_away) or\nwould have been late (late), or an admin did it (reassigned).",
    );
}

impl DescribedEnum for ItemKind {
    const SCHEMA: &'static str = "LineItemType";
    const DESCRIPTION: Option<&'static str> =
        Some("What an item is for. A discount counts against the others.");
}

impl DescribedEnum for ItemStatus {
    const SCHEMA: &'static str = "LineItemStatus";
    const DESCRIPTION: Option<&'static str> =
        Some("Where an item stands. A withdrawn one is shown by its last event alone.");
}

impl DescribedEnum for WaitReason {
    const SCHEMA: &'static str = "WaitReason";
    const DESCRIPTION: Option<&'static str> = Some(
        "Why a customer waits as long as they do, the first that applies. With a wait: a mechanic is asked, or is free \
        and will be (free); those who are free are kept for jobs that only they can serve, and the job waits for another \
        (held); all who could come have other jobs (busy). Without: all who could come were asked and did not take the job \
        (declined; after a search in vain, whenever a mechanic was asked); mechanics who do this are online, but none comes \
        as far (out_of_reach); mechanics are online near by, but none does this for such a vehicle (no_skill); no mechanic \
        is online near by (nobody_online).",
    );
}

impl DescribedEnum for OfferStatus {
    const SCHEMA: &'static str = "OfferStatus";
    const DESCRIPTION: Option<&'static str> = None;
}
