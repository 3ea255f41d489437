use serde_json::{Value, json};

use super::{
    HERE, OWN_MECHANIC, OWN_PROFILE, Object, PARTICIPANT, PUBLIC, Row, World, jobs::ACCEPTED_JOB, made, row,
};

pub const ROWS: &[Row] = &[
    row("POST /mechanics/me/location", OWN_PROFILE).body(positions),
    row("GET /mechanics/me/trackers", OWN_PROFILE),
    row("POST /mechanics/me/trackers", OWN_PROFILE).body(new_tracker),
    row("DELETE /mechanics/me/trackers/{id}", OWN_MECHANIC).of(TRACKER),
    row("POST /trackers/owntracks", PUBLIC).body(own_tracks_message),
    row("GET /trackers/osmand", PUBLIC),
    row("POST /trackers/osmand", PUBLIC).body(traccar_message),
    row("GET /jobs/{id}/events", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/location", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/route", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/way-ahead", PARTICIPANT).of(ACCEPTED_JOB),
];

const TRACKER: Object = Object::Id(|world| Box::pin(tracker(world)));

async fn tracker(world: &World<'_>) -> String {
    made(world.mechanic(), "/mechanics/me/trackers", new_tracker()).await
}

fn new_tracker() -> Value {
    json!({"name": "Phone in the van", "app": "owntracks"})
}

fn own_tracks_message() -> Value {
    json!({"_type": "location", "lat": HERE.0, "lon": HERE.1, "tst": 1_767_607_200, "acc": 8})
}

fn traccar_message() -> Value {
    let coords = json!({"latitude": HERE.0, "longitude": HERE.1, "accuracy": 8, "speed": -1, "heading": -1});
    json!({"device_id": "none of ours", "location": {"timestamp": "2026-01-05T10:00:00Z", "coords": coords}})
}

fn positions() -> Value {
    json!({"points": [{
        "seq": 1, "lat": HERE.0, "lng": HERE.1, "accuracy_m": 8, "speed_mps": 0, "heading": 90,
        "recorded_at": "2026-01-05T10:00:00Z", "is_mock": false,
    }]})
}
