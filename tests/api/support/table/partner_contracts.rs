use serde_json::json;

use super::{Object, PARTNER, Row, SETTINGS, World, made, nothing, number, row};
use crate::support::{cases::new_contract, roadside::PICKUP};

pub const ROWS: &[Row] = &[
    row("GET /partner/contracts", PARTNER),
    row("POST /partner/coverage", PARTNER).body(|| {
        json!({"contract_reference": "roadside", "service_category_slug": "flat-tyre", "vehicle_type": "two_wheeler",
            "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1})
    }),
    row("GET /admin/organisations/{id}/contracts", SETTINGS).of(ORGANISATION),
    row("POST /admin/organisations/{id}/contracts", SETTINGS)
        .of(ORGANISATION)
        .body(|| new_contract(&format!("contract {}", number()))),
    row("POST /admin/partner-contracts/{id}/end", SETTINGS).of(CONTRACT).body(nothing),
];

const ORGANISATION: Object = Object::Id(|world| Box::pin(organisation(world)));

const CONTRACT: Object = Object::Id(|world| {
    Box::pin(async move {
        let path = format!("/admin/organisations/{}/contracts", organisation(world).await);
        made(world.admin(), &path, new_contract("roadside")).await
    })
});

async fn organisation(world: &World<'_>) -> String {
    let body = json!({"name": format!("Motor club {}", number()), "kind": "club"});
    made(world.admin(), "/admin/organisations", body).await
}
