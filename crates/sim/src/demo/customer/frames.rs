//! A customer's reactions to the frames about their job.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Customer, Wait, subscribe};
use crate::demo::{
    api_client::{Job, LineItem},
    news::News,
    socket::{Frame, Socket, SocketEvent},
};

impl Customer {
    pub(super) async fn handle(&self, event: SocketEvent, socket: &Socket, wait: &mut Wait) {
        match event {
            SocketEvent::Up => {
                // This resumes after the last event seen.
                let since = wait.is_subscribed.then_some(wait.seq);
                subscribe(socket, wait.job.id, since);
            }
            SocketEvent::Frame(frame) => {
                wait.last_frame_at = self.shared.now();
                self.read(frame, wait).await;
            }
            SocketEvent::Down | SocketEvent::Over(_) => {}
        }
    }

    async fn read(&self, frame: Frame, wait: &mut Wait) {
        if let Some(error) = &frame.error {
            let what = format!("a frame was refused: {}: {}", error.code, error.message);
            return self.shared.trouble(&self.name, what);
        }
        if frame.job_id != Some(wait.job.id) {
            return;
        }
        let is_snapshot = frame.kind == "job.snapshot";
        let is_logged = matches!(
            frame.kind.as_str(),
            "job.updated" | "line_item.updated" | "payment.updated" | "chat.message"
        );
        if !is_snapshot && !is_logged {
            return;
        }
        let seq = frame.seq.unwrap_or_default();
        if !is_snapshot && wait.is_subscribed && seq > wait.seq + 1 {
            self.shared.trouble(&self.name, format!("events {} to {} are missing", wait.seq + 1, seq - 1));
        }
        wait.is_subscribed = true;
        let is_new = seq > wait.seq;
        wait.seq = wait.seq.max(seq);
        match frame.kind.as_str() {
            "line_item.updated" if is_new => return self.approve_item(frame.data, wait.job.id).await,
            "line_item.updated" | "payment.updated" | "chat.message" => return,
            _ => {}
        }
        match serde_json::from_value::<Job>(frame.data) {
            Ok(job) if job.seq >= wait.job.seq => self.see(job, wait).await,
            Ok(_) => {}
            Err(error) => {
                self.shared.trouble(&self.name, format!("an event that is not as documented: {error}"))
            }
        }
    }

    /// Approves a proposed line item.
    async fn approve_item(&self, item: Value, job: Uuid) {
        let item: LineItem = match serde_json::from_value(item) {
            Ok(item) => item,
            Err(error) => {
                return self
                    .shared
                    .trouble(&self.name, format!("a line item that is not as documented: {error}"));
            }
        };
        if item.status != "proposed" {
            return;
        }
        let path = format!("/jobs/{job}/line-items/{}/approve", item.id);
        match self
            .person
            .post::<LineItem>(&path, json!({ "version": item.version, "quoted_total": item.total }))
            .await
        {
            Ok(item) => {
                let (customer, item) = (self.name.clone(), item.description.to_lowercase());
                self.shared.report(News::Approved { customer, item });
            }
            Err(error) => self.shared.trouble(&self.name, error),
        }
    }
}
