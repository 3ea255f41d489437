use std::sync::Arc;

use super::*;
use crate::{
    ids::{LineItemId, UserId},
    simulation::world::north,
    wire::tests::{assert_same_after_sending, destination, one_of_each},
};

const USER: UserId = UserId(Uuid::from_u128(21));
const ITEM: LineItemId = LineItemId(Uuid::from_u128(501));
const OFFER: OfferId = OfferId(Uuid::from_u128(31));

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn correction() -> Correction {
    let contact = ContactDetails {
        beneficiary_name: text("Asha"),
        beneficiary_phone: text("+919812345678"),
        preference: "both".to_owned(),
    };
    Correction {
        seen_corrections: 2,
        details: DetailChanges {
            pickup_address: text("80 Feet Road"),
            description: Some(text("the rear one")),
            photo_urls: Some(vec!["https://files.example/1".to_owned()]),
            contact: Some(contact),
        },
        summary: Some(Default::default()),
        pickup: Some(NewPickup {
            point: north(12.5),
            travel_price_paise: 4_000,
            mechanic: Some(M),
            eta_s: Some(300),
        }),
        time: Some(NewTime { scheduled_for: Some(at(3_600)), begin_at: at(1_800) }),
        quoted_price_paise: Some(34_000),
    }
}

fn tow() -> Option<Arc<Destination>> {
    Some(Arc::new(destination()))
}

fn item_terms() -> ItemTerms {
    ItemTerms {
        kind: ItemKind::Discount,
        description: "a tube".to_owned(),
        quantity: 2,
        unit_price_paise: 150,
        photo_url: text("https://files.example/2"),
    }
}

#[test]
fn every_command_survives_the_way_to_another_process() {
    let broken = BrokenRule::ALL.to_vec();
    let commands = one_of_each! { Command {
        Tick,
        Offer { attempt: 2, round: 3, proposals: vec![proposal(M), proposal(OTHER)] },
        Accept { offer_id: OFFER, mechanic_id: M, answered_at: at(5), start_code: CODE.to_owned() },
        Decline { offer_id: OFFER, mechanic_id: M, reason: text("too far") },
        Revoke { offer_id: OFFER, mechanic_id: M },
        Assign {
            mechanic_id: M,
            eta_s: 300,
            start_code: CODE.to_owned(),
            overridden: Some(Override { rules: broken, reason: "nobody else is near".to_owned() }),
        },
        EnRoute { mechanic_id: M },
        Navigate { mechanic_id: M, is_elsewhere: true },
        TakeBack { mechanic_id: M, eta_s: 60, start_code: CODE.to_owned() },
        Arrive {
            mechanic_id: M,
            evidence: Evidence { distance_m: Some(12.5) },
            override_reason: text("a tunnel"),
        },
        Start { mechanic_id: M, code: text(CODE) },
        Load { mechanic_id: M, photo_urls: vec!["https://files.example/2".to_owned()] },
        Complete {
            mechanic_id: M,
            outcome: Outcome::Towed,
            notes: text("the axle"),
            photo_urls: vec!["https://files.example/3".to_owned()],
            received_by: text("Anil"),
            drop_off: DropOff { distance_m: Some(12.5), driven_m: None, override_reason: text("a yard") },
        },
        Release { mechanic_id: M, reason_code: "personal".to_owned() },
        NoShow { mechanic_id: M },
        Reassign { reason: "dark".to_owned() },
        Watch { mechanic_id: M, attempt: 1, finding: Finding::Delayed(DARK) },
        Cancel {
            by_admin: false,
            reason_code: "changed_mind".to_owned(),
            reason: text("it runs again"),
            accepted_fee: AcceptedFee::UpTo(5_000),
            progress: MechanicProgress { last_contact_at: Some(at(1)), last_moved_at: None },
            free_cancellations: Some(FreeCancellationAllowance {
                most: 3,
                since: at(-86_400),
                used: 1,
                person_key: Uuid::from_u128(91),
            }),
        },
        Retry { most_open_jobs: Some(3) },
        ContestNoShow,
        DecideNoShow { fee_paise: 15_000 },
        Correct(Box::new(correction())),
        Item(ItemCommand::Withdraw { mechanic_id: M, id: ITEM }),
        NotePayment { payment_id: Uuid::from_u128(77) },
        NoteMessage { message_id: Uuid::from_u128(78), mechanic_id: M },
        NoteCall { call_id: Uuid::from_u128(79) },
        Pay,
        Dispute,
        Resolve,
    } };
    commands.iter().for_each(assert_same_after_sending);
    let findings = one_of_each! { Finding {
        Delayed(DARK),
        Recovered(Concern::Stalled),
        Lost(Concern::Slipping),
    } };
    findings.iter().for_each(assert_same_after_sending);
    assert_same_after_sending(&AcceptedFee::Any);
    assert_same_after_sending(&Correction::default());
    let by = one_of_each! { Actor { Customer(USER), Mechanic(USER), Admin(USER), Partner(USER), System } };
    by.iter().for_each(assert_same_after_sending);
}

#[test]
fn a_completion_from_a_server_of_an_earlier_release_is_read() {
    let drop_off = DropOff::default();
    let (outcome, received_by) = (Outcome::Towed, text("Anil"));
    let command = Command::Complete {
        mechanic_id: M,
        outcome,
        notes: None,
        photo_urls: Vec::new(),
        received_by,
        drop_off,
    };
    let mut sent = serde_json::to_value(&command).expect("JSON");
    let fields = sent["Complete"].as_object_mut().expect("a completion");
    assert!(fields.remove("drop_off").is_some());
    assert_eq!(serde_json::from_value::<Command>(sent).expect("a command"), command);
}

#[test]
fn every_command_about_an_item_survives_the_way_to_another_process() {
    let patch = ItemPatch {
        kind: Some(ItemKind::Tow),
        description: text("a rope"),
        quantity: Some(1),
        unit_price_paise: Some(900),
        photo_url: Some(text("https://files.example/4")),
    };
    let quote = ItemQuote { version: 3, total_paise: Some(-300) };
    let commands = one_of_each! { ItemCommand {
        Propose { mechanic_id: M, id: ITEM, terms: item_terms(), destination: tow(), idempotency: Some(Uuid::from_u128(92)) },
        Amend { mechanic_id: M, id: ITEM, patch },
        Withdraw { mechanic_id: M, id: ITEM },
        Approve { id: ITEM, quote, on_account: true },
        Reject { id: ITEM, quote: ItemQuote { total_paise: None, ..quote }, on_account: true },
    } };
    commands.iter().for_each(assert_same_after_sending);
    let (created_at, updated_at) = (at(1), at(2));
    assert_same_after_sending(&LineItem {
        id: ITEM,
        terms: item_terms(),
        destination: tow(),
        status: ItemStatus::Approved,
        is_on_account: true,
        version: 3,
        created_at,
        updated_at,
    });
}

#[test]
fn clearing_a_field_differs_from_not_changing_it() {
    for description in [None, Some(None), Some(text("the rear one"))] {
        assert_same_after_sending(&DetailChanges { description, ..Default::default() });
    }
    for photo_url in [None, Some(None), Some(text("https://files.example/4"))] {
        assert_same_after_sending(&ItemPatch { photo_url, ..Default::default() });
    }
}
