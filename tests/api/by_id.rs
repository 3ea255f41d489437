//! Every item of a list can be read by its id.

use serde_json::{Value, json};

use crate::support::{
    Client,
    bodies::id_of,
    spawn_on_road,
    uploads::{photo, uploaded},
};

/// Returns the newest item of a list.
async fn first(reader: &Client, list: &str) -> Value {
    reader.get(list).await.expect(200)["data"][0].clone()
}

#[actix_web::test]
async fn every_listed_item_is_read_by_its_id() {
    let (_app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    mechanic.offer().await;
    let offered = first(&mechanic.client, "/mechanics/me/offers").await;
    let offer = format!("/offers/{}", id_of(&offered));
    assert_eq!(mechanic.client.get(&offer).await.expect(200), offered);
    mechanic.client.post(&format!("{offer}/accept"), json!({})).await.expect(200);
    assert_eq!(mechanic.client.get(&offer).await.expect(200)["status"], "accepted");

    let (customer, worker, admin): (&Client, &Client, &Client) = (&stranded.client, &mechanic.client, &admin);
    let account = json!({"vpa": "ravi@okbank", "holder_name": "Asha Rao"});
    worker.post("/wallet/upi", account).await.expect(201);
    customer.post(&format!("/jobs/{job}/calls"), json!({})).await.expect(201);
    for (reader, list, by_id) in [
        (worker, "/wallet/upi", "/wallet/upi"),
        (customer, &*format!("/jobs/{job}/calls"), "/calls"),
        (worker, &format!("/jobs/{job}/calls"), "/calls"),
        (admin, &format!("/jobs/{job}/calls"), "/calls"),
    ] {
        let listed = first(reader, list).await;
        let found = reader.get(&format!("{by_id}/{}", id_of(&listed))).await.expect(200);
        assert_eq!(found["id"], listed["id"], "{by_id}");
        assert_eq!(found.as_object().map(serde_json::Map::len), listed.as_object().map(serde_json::Map::len));
    }
    let told = first(customer, "/notifications?type=job_accepted").await;
    let found = customer.get(&format!("/notifications/{}", id_of(&told))).await.expect(200);
    for field in ["id", "type", "title", "body", "data", "created_at"] {
        assert_eq!(found[field], told[field], "{field}");
    }
    let sent = uploaded(customer, "avatar", &photo()).await;
    let found = customer.get(&sent.path("")).await.expect(200);
    assert_eq!((&found["status"], &found["file_url"]), (&json!("complete"), &json!(sent.file_url)));
}
