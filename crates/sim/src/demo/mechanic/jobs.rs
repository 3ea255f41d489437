//! A mechanic on a job, from the acceptance to the completion.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use roadcall_client::ClientError;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ASK_AFTER, CODE_WAIT, Doing, Mechanic, TRY_AGAIN};
use crate::demo::{
    api_client::{Job, LineItem, Status, upload},
    picture::{self, Scene},
    socket::Frame,
};

/// A line item to propose: type, description, rupees.
type Extra = (&'static str, &'static str, f64);

/// A line item that work of any kind may need, and further ones for some kinds of help, by the slug of the category.
const ANY_EXTRA: Extra = ("labour", "Half an hour more of work", 150.0);
const EXTRAS: [(&str, Extra); 9] = [
    ("flat-tyre", ("part", "Tubeless valve", 120.0)),
    ("flat-tyre", ("part", "Inner tube", 350.0)),
    ("battery-jump-start", ("part", "Battery terminal", 85.5)),
    ("battery-jump-start", ("part", "New battery", 4_200.0)),
    ("towing", ("labour", "Winching out of a ditch", 400.0)),
    ("fuel-delivery", ("part", "Five litres of petrol", 520.0)),
    ("lockout", ("part", "New door lock", 950.0)),
    ("on-site-repair", ("part", "Fan belt", 480.0)),
    ("on-site-repair", ("part", "Fuse", 40.0)),
];

impl Mechanic {
    pub(super) async fn drive_to(&mut self, job: Job) {
        self.doing = Doing::Driving { job: job.clone() };
        if let Some(job) = self.step(&job, "en-route", json!({})).await {
            self.doing = Doing::Driving { job };
        }
    }

    /// Takes note of a job as the socket shows it: changed by others, or to be continued by the mechanic.
    pub(super) fn see_job(&mut self, frame: Frame) {
        let Ok(job) = serde_json::from_value::<Job>(frame.data) else {
            return self.shared.trouble(&self.name, "a job that is not as documented");
        };
        let current = self.current_job();
        let is_mine = self.is_mine(&job);
        if current == Some(job.id) && !is_mine {
            self.doing = Doing::Waiting;
        } else if current.is_none() && is_mine && matches!(self.doing, Doing::Waiting) {
            self.doing = self.resumed(job);
        }
    }

    /// Returns the next activity on a job that this mechanic did not know they have, e.g. because the answer to an acceptance was
    /// lost.
    pub(super) fn resumed(&self, job: Job) -> Doing {
        let now = self.shared.now();
        match job.status {
            Status::Arrived => asking_for_code(job, now),
            Status::InProgress => delivering(&job).unwrap_or(Doing::Working { job, done_at: now }),
            _ => Doing::Driving { job },
        }
    }

    pub(super) async fn arrive(&mut self, job: Job) {
        // The position goes by HTTP: the answer means that it is stored before the service checks the arrival against it.
        let points = self.phone.report();
        if let Err(error) = self.person.post::<Value>("/mechanics/me/location", points).await {
            self.pause_until = self.shared.now() + TRY_AGAIN;
            return self.shared.trouble(&self.name, error);
        }
        if job.status == Status::Accepted {
            // The answer to the first try was lost. A second try is refused and does no harm.
            let path = format!("/jobs/{}/en-route", job.id);
            self.person.post::<Job>(&path, json!({})).await.ok();
        }
        match self.person.post::<Job>(&format!("/jobs/{}/arrive", job.id), json!({})).await {
            Ok(job) => self.doing = asking_for_code(job, self.shared.now()),
            Err(error) if error.code() == "TOO_FAR_FROM_PICKUP" => self.override_arrival(job, error).await,
            Err(error) => self.on_refusal(&job, error).await,
        }
    }

    /// Gives a reason for an arrival whose position the service finds implausible, e.g. after a jump of the phone's position.
    pub(super) async fn override_arrival(&mut self, job: Job, why: ClientError) {
        tracing::debug!(%why, "a mechanic of the demo arrives with a reason");
        if let Some(job) =
            self.step(&job, "arrive", json!({ "override_reason": "I stand beside the vehicle" })).await
        {
            self.doing = asking_for_code(job, self.shared.now());
        }
    }

    /// Starts the work with the customer's code. The city's customers say their code. Others, who watch the demo, are asked in
    /// the chat and may answer there.
    pub(super) async fn ask_for_code(&mut self, job: Job, since: DateTime<Utc>) {
        let Doing::AskingForCode { has_written, answer, .. } = &mut self.doing else { return };
        let Some(code) = self.shared.start_code(job.id).or_else(|| answer.take()) else {
            let waited = self.shared.now() - since;
            if waited >= CODE_WAIT {
                self.shared.trouble(&self.name, "no customer gave the start code");
                self.step(&job, "release", json!({ "reason_code": "other" })).await;
                self.doing = Doing::Waiting;
            } else if waited >= ASK_AFTER && !std::mem::replace(has_written, true) {
                self.write_for_code(&job).await;
            }
            return;
        };
        if let Some(job) = self.step(&job, "start", json!({ "start_code": code })).await {
            let repair = TimeDelta::from_std(self.random.seconds(self.shared.scenario.work.repair_s));
            if self.random.chance(self.shared.scenario.money.item_share) {
                self.propose(&job).await;
            }
            self.doing = Doing::Working { job, done_at: self.shared.now() + repair.unwrap_or_default() };
        }
    }

    async fn write_for_code(&self, job: &Job) {
        let body = json!({
            "client_message_id": Uuid::from_u64_pair(self.random.draw().seed(), self.random.draw().seed()),
            "type": "text",
            "body": "I am here. Please tell me the start code that your app shows, or write it here.",
        });
        if let Err(error) = self.person.post::<Value>(&format!("/jobs/{}/messages", job.id), body).await {
            self.shared.trouble(&self.name, error);
        }
    }

    /// Takes a start code from a message of the other side.
    pub(super) fn read_message(&mut self, frame: &Frame) {
        let Doing::AskingForCode { job, answer, .. } = &mut self.doing else { return };
        let (sender, body) = (&frame.data["sender"], frame.data["body"].as_str().unwrap_or_default());
        let is_of_job = frame.data["job_id"].as_str().is_some_and(|id| id == job.id.to_string());
        let is_theirs = is_of_job && sender.as_str() != Some("mechanic");
        if is_theirs && let Some(code) = code_in(body) {
            *answer = Some(code);
        }
    }

    /// Proposes a line item that the work needs.
    pub(super) async fn propose(&self, job: &Job) {
        let extras = extras_of(&job.service_category_slug);
        let Some((kind, description, unit_price)) = self.random.pick(&extras) else { return };
        let body =
            json!({ "type": kind, "description": description, "quantity": 1, "unit_price": unit_price });
        let (path, key) = (format!("/jobs/{}/line-items", job.id), format!("demo-item-{}", job.id));
        if let Err(error) = self.person.post_once::<LineItem>(&path, body, &key).await {
            self.shared.trouble(&self.name, error);
        }
    }

    /// Finishes the work at the roadside: a vehicle with a destination is loaded, any other is ready.
    pub(super) async fn finish(&mut self, job: Job) {
        if job.destination.is_none() {
            return self.end(job, "complete", json!({ "outcome": "fixed" })).await;
        }
        if let Some(photo) = self.photo().await {
            self.end(job, "load", json!({ "photo_urls": [photo] })).await;
        }
    }

    /// Returns the photo of a vehicle on the truck, the same for each job. Without a photo the step is tried again later.
    async fn photo(&mut self) -> Option<String> {
        if self.photo.is_none() {
            let picture = picture::png(Scene::Car, self.random.draw().seed());
            match upload(&self.person, "job_photo", picture).await {
                Ok(url) => self.photo = Some(url),
                Err(error) => {
                    self.pause_until = self.shared.now() + TRY_AGAIN;
                    self.shared.trouble(&self.name, error);
                }
            }
        }
        self.photo.clone()
    }

    /// Hands the vehicle over at its destination.
    pub(super) async fn hand_over(&mut self, job: Job) {
        let why = "The receiver is off in the yard";
        let by = "The workshop";
        let Some(photo) = self.photo().await else { return };
        let body =
            json!({ "outcome": "towed", "photo_urls": [photo], "received_by": by, "override_reason": why });
        self.end(job, "complete", body).await;
    }

    async fn end(&mut self, job: Job, verb: &str, body: Value) {
        match self.person.post::<Job>(&format!("/jobs/{}/{verb}", job.id), body).await {
            Ok(job) => self.doing = delivering(&job).unwrap_or(Doing::Waiting),
            // The customer has not approved a line item yet.
            Err(error) if error.code() == "PENDING_APPROVAL" => {
                self.pause_until = self.shared.now() + TRY_AGAIN;
            }
            Err(error) => self.on_refusal(&job, error).await,
        }
    }

    /// Does a step of the job.
    pub(super) async fn step(&mut self, job: &Job, verb: &str, body: Value) -> Option<Job> {
        match self.person.post::<Job>(&format!("/jobs/{}/{verb}", job.id), body).await {
            Ok(job) => Some(job),
            Err(error) => {
                self.on_refusal(job, error).await;
                None
            }
        }
    }

    /// Looks at the job after a step was refused, most often because the customer has just cancelled.
    pub(super) async fn on_refusal(&mut self, job: &Job, error: ClientError) {
        self.pause_until = self.shared.now() + TRY_AGAIN;
        // A wrong code is the customer's mistake: they are asked again.
        let is_a_move = matches!(error.code(), "INVALID_TRANSITION" | "NOT_FOUND" | "WRONG_START_CODE");
        if !is_a_move {
            self.shared.trouble(&self.name, error);
        }
        self.look_at(job.id).await;
    }

    /// Continues with the job according to its status; leaves it if it is no longer this mechanic's.
    pub(super) async fn look_at(&mut self, job: Uuid) {
        self.doing = match self.person.get::<Job>(&format!("/jobs/{job}")).await {
            Ok(job) if self.is_mine(&job) => self.resumed(job),
            Ok(_) => Doing::Waiting,
            Err(error) if error.code() == "NOT_FOUND" => Doing::Waiting,
            Err(error) => return self.shared.trouble(&self.name, error),
        };
    }
}

/// Returns the drive to the destination, if the vehicle is loaded.
fn delivering(job: &Job) -> Option<Doing> {
    let to = job.destination.filter(|_| job.loaded_at.is_some() && job.status == Status::InProgress)?;
    Some(Doing::Delivering { job: job.clone(), to: Point::new(to.lat, to.lng) })
}

fn extras_of(slug: &str) -> Vec<Extra> {
    let of_kind = EXTRAS.into_iter().filter(|(of, _)| *of == slug);
    of_kind.map(|(_, extra)| extra).chain([ANY_EXTRA]).collect()
}

fn asking_for_code(job: Job, since: DateTime<Utc>) -> Doing {
    Doing::AskingForCode { job, since, has_written: false, answer: None }
}

/// Returns the only four digits in a row.
fn code_in(text: &str) -> Option<String> {
    let mut codes = text.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| digits.len() == 4);
    codes.next().filter(|_| codes.next().is_none()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_code_is_taken_from_what_people_write() {
        for (text, code) in [
            ("4821", Some("4821")),
            ("it is 4821.", Some("4821")),
            ("call 9876543210, code 4821", Some("4821")),
            ("4821 or 1234", None),
            ("coming", None),
            ("48210", None),
        ] {
            assert_eq!(code_in(text).as_deref(), code, "{text}");
        }
    }

    #[test]
    fn an_item_fits_the_kind_of_help() {
        let winches = |slug| extras_of(slug).iter().any(|(_, what, _)| what.starts_with("Winching"));
        assert!(winches("towing") && !winches("flat-tyre"));
        assert_eq!(extras_of("a-kind-of-the-operator"), [ANY_EXTRA]);
        for (slug, extra) in EXTRAS {
            assert!(extras_of(slug).contains(&extra), "{slug}");
        }
    }
}
