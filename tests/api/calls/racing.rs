//! Simultaneous actions have one outcome.

use futures_util::future::join;
use serde_json::json;

use super::{logged, pass, tell};
use crate::support::{bodies::id_of, spawn_accepted};

#[actix_web::test]
async fn two_people_who_call_each_other_at_once_make_one_call() {
    let (_app, scene) = spawn_accepted().await;
    for _ in 0..4 {
        let (one, other) = join(
            scene.customer.post(&scene.path("/calls"), json!({})),
            scene.mechanic.client.post(&scene.path("/calls"), json!({})),
        )
        .await;
        let (made, refused) = if one.status == 201 { (one, other) } else { (other, one) };
        let made = made.expect(201);
        let refused = refused.refused(409, "CONFLICT");
        assert!(refused["error"]["message"].as_str().expect("a text").contains(&id_of(&made)), "{refused}");
        tell(&scene.customer, &made, "end").await.expect(200);
    }
    let total = scene.customer.get(&scene.path("/calls")).await.expect(200)["total"].clone();
    assert_eq!(total, 4);
    assert_eq!(logged(&scene).await.len(), 8, "each began and ended");
}

#[actix_web::test]
async fn an_answer_at_the_last_moment_counts_or_comes_too_late() {
    let (app, scene) = spawn_accepted().await;
    for lapsed in [0, 30] {
        let call = scene.ring().await;
        pass(&app, &call, lapsed).await;
        let mechanic = &scene.mechanic.client;
        let (answer, end) = join(tell(mechanic, &call, "accept"), tell(&scene.customer, &call, "end")).await;
        let ended = end.expect(200);
        match (answer.status, ended["status"].as_str()) {
            (200, Some("ended")) | (409, Some("cancelled" | "missed")) => {}
            odd => panic!("{odd:?}"),
        }
        assert_eq!(scene.now(&call).await, ended);
    }
    let logged = logged(&scene).await.len();
    assert!((4..=5).contains(&logged), "each began, perhaps one was answered, each ended: {logged}");
}
