//! Cancellations by many customers at once, while the wire to Postgres is cut at one message after another.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::spawn;
use crate::support::{Answer, Stranded, bodies::id_of, until_so};

/// With so many at once, most cancellations are written together.
const CUSTOMERS: u8 = 10;
/// More messages than the cancellations take, and the distance between two cuts.
const MESSAGES: u32 = 60;
const STEP: usize = 4;
/// The time that a message takes each way, so that the cancellations meet.
const DELAY: Duration = Duration::from_millis(2);

async fn cancel(stranded: &Stranded, job: &str) -> Answer {
    let why = json!({"reason_code": "changed_mind"});
    stranded.client.post(&format!("/jobs/{job}/cancel"), why).await
}

/// Cancels the job, whatever became of an earlier try.
async fn end(stranded: &Stranded, job: &str) {
    until_so("the job is cancelled", async || {
        let shown = stranded.client.get(&format!("/jobs/{job}")).await;
        let is_over = shown.status == 200 && shown.body["status"] == "cancelled";
        if !is_over {
            cancel(stranded, job).await;
        }
        is_over
    })
    .await;
}

#[actix_web::test]
async fn every_answer_is_true_wherever_the_writes_of_many_jobs_are_cut_off() {
    let (app, wire) = spawn().await;
    let place = |number: u8| (-20.0, 70.0 + 0.3 * f64::from(number));
    let people = join_all((0..CUSTOMERS).map(|number| app.breakdown_at(place(number)))).await;
    let mut unknown = 0;
    for messages in (0..MESSAGES).step_by(STEP) {
        let jobs = join_all(people.iter().map(Stranded::call)).await;
        let jobs: Vec<String> = jobs.iter().map(id_of).collect();
        wire.delay(DELAY);
        wire.cut_after(messages);
        let answers = join_all(people.iter().zip(&jobs).map(|(person, job)| cancel(person, job))).await;
        wire.mend();
        wire.delay(Duration::ZERO);
        for (job, answer) in jobs.iter().zip(&answers) {
            let cancelled = "select count(*) from job_events where job_id = $1 and kind = 'cancelled'";
            let cancelled = sqlx::query_scalar(cancelled).bind(job.parse::<Uuid>().expect("an id"));
            let cancelled: i64 = cancelled.fetch_one(&app.database.db).await.expect("the log");
            let is_true = match (answer.status, answer.body["error"]["code"].as_str()) {
                (200, _) => cancelled == 1,
                (503, Some("UNAVAILABLE")) => cancelled == 0,
                (503, Some("OUTCOME_UNKNOWN")) => {
                    unknown += 1;
                    cancelled <= 1
                }
                _ => false,
            };
            assert!(is_true, "cut after {messages}: {}, and cancelled {cancelled} times", answer.text);
        }
        join_all(people.iter().zip(&jobs).map(|(person, job)| end(person, job))).await;
    }
    println!("{unknown} answers said that the outcome is unknown");
}
