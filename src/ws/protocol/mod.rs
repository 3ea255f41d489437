//! The JSON of the socket, in both directions. docs/REALTIME.md describes it for people, and `GET /asyncapi.json`,
//! which is generated from the two lists here, for machines. A new type is one line in its list.

mod client;
mod server;

pub use client::{ClientCommand, ClientFrame, ClientType, Malformed, Reference};
pub use server::{
    Draining, Hello, LocationRate, Nothing, Nudged, Progress, Reply, ServerFrame, ServerType, Subscribed,
};

/// Reports whether the quick reader of positions, if it accepts a frame, reads the same as the general reader.
#[cfg(any(test, fuzzing))]
pub(crate) fn are_read_alike(text: &str) -> bool {
    let Some(quick) = client::LocationFrame::read(text) else { return true };
    ClientFrame::parse_any(text).is_ok_and(|general| format!("{quick:?}") == format!("{general:?}"))
}

#[cfg(test)]
mod tests {
    use super::{client::LocationFrame, *};
    use crate::platform::error::ApiError;
    use chrono::DateTime;
    use serde_json::json;
    use uuid::Uuid;

    fn faults_of(text: &str) -> Vec<String> {
        ClientFrame::parse(text).err().map(|bad| bad.error.errors.into_keys().collect()).unwrap_or_default()
    }

    #[test]
    fn every_fault_of_a_frame_is_named() {
        let id = "018f0000-0000-7000-8000-000000000001";
        let cases = [
            ("", vec!["body"]),
            ("{", vec!["body"]),
            ("[]", vec!["body"]),
            ("null", vec!["body"]),
            (r#""ping""#, vec!["body"]),
            ("{}", vec!["data", "type"]),
            (r#"{"type":"chat.shout","data":{}}"#, vec!["type"]),
            (r#"{"type":7,"data":{}}"#, vec!["type"]),
            (r#"{"type":"job.subscribe","data":{},"extra":1}"#, vec!["extra"]),
            (r#"{"type":"job.subscribe","data":{},"ref":""}"#, vec!["ref"]),
            (r#"{"type":"job.subscribe","data":{},"ref":3}"#, vec!["ref"]),
            (r#"{"type":"job.subscribe","data":[]}"#, vec!["body"]),
            (r#"{"type":"job.subscribe","data":{"job_id":"x","since_seq":-1}}"#, vec!["job_id", "since_seq"]),
            (r#"{"type":"job.subscribe","data":{"since_seq":"1"}}"#, vec!["job_id", "since_seq"]),
            (r#"{"type":"availability.set","data":{"is_available":"yes"}}"#, vec!["is_available"]),
            (r#"{"type":"offer.decline","data":{"offer_id":null,"reason":""}}"#, vec!["offer_id", "reason"]),
            (r#"{"type":"chat.send","data":{}}"#, vec!["client_message_id", "job_id", "type"]),
            (r#"{"type":"chat.read","data":{"job_id":"x","up_to_seq":0}}"#, vec!["job_id", "up_to_seq"]),
            (r#"{"type":"chat.typing","data":{"job":1}}"#, vec!["job", "job_id"]),
            (
                r#"{"type":"location.update","data":{"points":[{"seq":1}]}}"#,
                vec!["points", "points[0].lat", "points[0].lng", "points[0].recorded_at"],
            ),
        ];
        for (text, fields) in cases {
            assert_eq!(faults_of(text), fields, "{text}");
        }
        let fine = json!({"type": "job.subscribe", "ref": "a", "data": {"job_id": id, "since_seq": 0}});
        assert_eq!(faults_of(&fine.to_string()), Vec::<String>::new());
    }

    #[test]
    fn positions_are_read_the_same_by_both_readers() {
        let point = r#"{"seq":7,"lat":12.5,"lng":77,"recorded_at":"2026-01-01T00:00:00.5Z","is_mock":false}"#;
        let full = r#"{"recorded_at":"2026-01-01T05:30:00+05:30","seq":-1,"lat":1e1,"lng":-0.5,"accuracy_m":8,
            "speed_mps":null,"heading":359.9}"#;
        let frame = |points: &str| {
            format!(r#"{{"type":"location.update","ref":"p","data":{{"points":[{points}]}}}}"#)
        };
        let many = |count: usize| frame(&vec![point; count].join(","));
        let whole = [frame(point), frame(full), frame(&format!("{point},{full}")), many(100)];
        for text in whole {
            let (fast, other) = (LocationFrame::read(&text), ClientFrame::parse_any(&text).ok());
            assert!(fast.is_some(), "{text}");
            assert_eq!(format!("{fast:?}"), format!("{other:?}"));
        }
        // These frames are left to the general reader, which accepts the first three.
        let others = [
            frame(&point.replace("7,", "7.0,")),
            frame(&point.replace(r#""seq""#, r#""seq":1,"seq""#)),
            frame(point).replace(r#""p""#, r#""\u0070""#).replace("2026", "\\u0032026"),
            frame(&point.replace("12.5", "91")),
            frame(&point.replace("is_mock", "is_mocked")),
            frame(point).replace(r#""p""#, r#""""#),
            frame(point) + "{}",
            many(101),
            frame(""),
        ];
        for (n, text) in others.iter().enumerate() {
            assert!(LocationFrame::read(text).is_none(), "{text}");
            assert_eq!(ClientFrame::parse(text).is_ok(), n < 3, "{text}");
        }
    }

    #[test]
    fn a_malformed_frame_keeps_its_reference() {
        let bad = ClientFrame::parse(r#"{"type":"nonsense","ref":"r1"}"#).expect_err("malformed");
        assert_eq!(bad.reference, Some(Reference("r1".to_owned())));
        let bad = ClientFrame::parse(r#"{"type":"nonsense","ref":{}}"#).expect_err("malformed");
        assert_eq!(bad.reference, None);
        let long = json!({"type": "location.update", "data": {"points": vec![0; 2_000]}, "ref": "r2"});
        let bad = ClientFrame::parse(&long.to_string()).expect_err("too long");
        assert_eq!(bad.reference, Some(Reference("r2".to_owned())));
        assert_eq!(bad.error.errors.into_keys().collect::<Vec<_>>(), ["points"]);
    }

    #[test]
    fn deep_nesting_is_refused_and_not_followed() {
        let deep = format!("{}{}", "[".repeat(8_000), "]".repeat(8_000));
        assert_eq!(faults_of(&deep), ["body"]);
    }

    #[test]
    fn frames_look_as_documented() {
        let at = DateTime::from_timestamp_millis(1_800_000_000_123).expect("a time");
        let id = Uuid::from_u128(1);
        let frame = ServerFrame::new(ServerType::LocationRate, at, LocationRate { interval_s: 3 });
        let shown =
            json!({"type": "location.rate", "at": "2027-01-15T08:00:00.123Z", "data": {"interval_s": 3}});
        assert_eq!(serde_json::to_value(&frame).expect("JSON"), shown);
        let frame = ServerFrame::new(ServerType::JobUpdated, at, Nothing {}).of_job(id).at_seq(7);
        let shown = json!({"type": "job.updated", "job_id": id, "seq": 7, "at": "2027-01-15T08:00:00.123Z", "data": {}});
        assert_eq!(serde_json::to_value(&frame).expect("JSON"), shown);
        let reference = Reference("r".to_owned());
        let ack = Reply::Ack { reference: &reference, data: Subscribed { job_id: id, seq: 2 } };
        let shown = json!({"type": "ack", "ref": "r", "data": {"job_id": id, "seq": 2}});
        assert_eq!(serde_json::to_value(&ack).expect("JSON"), shown);
        let detail = ApiError::not_found("job").body().error;
        let error: Reply<'_, Nothing> = Reply::Error { reference: None, error: detail, retry_after_s: None };
        let shown = json!({"type": "error", "ref": null, "error": {"code": "NOT_FOUND", "message": "There is no such job."}});
        assert_eq!(serde_json::to_value(&error).expect("JSON"), shown);
    }
}
