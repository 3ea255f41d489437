//! Text messages through a real gateway, up to the centre that sends them out.

use serde_json::json;

use crate::support::{
    kannel::{Arrived, Kannel},
    new_phone, spawn_app_with,
};

/// A text that is longer than one message, with characters that URLs and Kannel's own protocol treat specially.
const LONG: &str = "Roadcall: ನಿಮ್ಮ ಕೋಡ್ {code}. ಇದನ್ನು ಯಾರಿಗೂ ಹೇಳಬೇಡಿ! आपका कोड किसी को न बताएँ: 100% + \"{to}\" & <ऐप> ಸಹಾಯ ಬೇಕಾದರೆ ನಮ್ಮನ್ನು ಕರೆಯಿರಿ 🛵";

/// Runs with `cargo test --test api -- --ignored providers::kannel`.
#[actix_web::test]
#[ignore = "needs Kannel: script/bootstrap kannel"]
async fn codes_and_long_texts_in_any_script_arrive_as_they_were_written() {
    let kannel = Kannel::start().await;
    let mut expected = Vec::new();
    for text in ["{code} is your Roadcall code. Don't tell it to anyone: €5 & 100% {x}", LONG] {
        let app = spawn_app_with(|settings| {
            kannel.set(&mut settings.sms);
            settings.sms.otp_text = text.to_owned();
            settings.check().expect("sound settings");
        })
        .await;
        let phone = new_phone();
        let sent = app.send_otp(&phone).await.expect(200);
        let text = text.replace("{code}", sent["data"]["otp"].as_str().expect("a code"));
        expected.push(Arrived { sender: "ROADCL".to_owned(), receiver: phone, text });
        assert_eq!(kannel.until_arrived(expected.len()).await, expected);
    }
    let app = spawn_app_with(|settings| {
        kannel.set(&mut settings.sms);
        settings.sms.http.url.0 = settings.sms.http.url.0.replace("s%26cret", "guessed");
    })
    .await;
    let admin = app.super_admin().await;
    let refused = admin.post("/super-admin/sms/test", json!({"phone": new_phone()})).await.expect(200);
    assert_eq!(refused, json!({"outcome": "refused", "reason": "status 403"}));
}
