//! The texts of the document: a short title of each operation and the rest below it, and the descriptions of
//! parameters.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::complete::schema_name;

/// The rules for every operation: the document's own description, in Markdown.
pub(super) const HEAD: &str = "\
Real-time dispatch of roadside mechanics: a stranded customer's job finds its mechanic, live. The socket and the streams of jobs \
are described in `/asyncapi.json`.

# Signing in

* **Customers and mechanics** have a phone. `POST /auth/send-otp` sends it a code; `POST /auth/verify-otp` takes the code and answers an access \
token and a refresh token. It makes the account at first use; `POST /mechanics/register` makes a mechanic of a customer. In development the answer \
of `send-otp` shows the code.
* **Admins** have an email address. At the embedded identity provider, `POST /idp/token` takes it with a password, and the code of an authenticator app if \
there is one, and answers an ID token, which `POST /auth/admin-login` takes. At a provider of the operator's own, `POST /auth/admin-sign-in` begins the way \
there, and `POST /auth/admin-sign-in/complete` ends it. An invitation is accepted by `POST /auth/accept-invite`.
* **Partners** (insurers, clubs, fleets) have keys for their programs: `Authorization: Bearer` with `rck_…`. A key has scopes (`x-scopes` of an operation), a limit of \
its own, and an end. `GET /partner` says for whom it acts. Members of an organisation sign in as customers do.
* **Every request** of a person then has the header `Authorization: Bearer` with the access token. It is good for `expiresIn` seconds. After that the answer is 401 \
`TOKEN_EXPIRED`: `POST /auth/refresh` takes the refresh token and answers a new pair. A refresh token is good once; an old one that comes back later ends the session. \
`POST /auth/logout` ends it too, and `GET /auth/sessions` lists all of them.
* **Pages** send `X-Session: cookie` with requests that sign in: the refresh token then is in a cookie that no script can read, and in no answer. Browsers can't set \
headers of a socket: `POST /ws/ticket` answers a ticket for `GET /ws?ticket=`, which opens one.

Operations that need no sign-in say so: their `security` is empty. `GET /users/me` says who the caller is. An admin acts at desks (`x-desks` of an \
operation): at another one the answer is 403 `DESK_NEEDED`.

# Answers

One object is answered bare, a list as `{data}`, one page of a list as `{data, page, limit, total}`. Names are snake_case. Answers \
of sign-in are the exception: `{success: true, data}`, with camelCase names in `data`. Every field of an answer is always present, \
`null` where it is empty. New fields may be added at any time: ignore those that you don't know. Requests are strict: an unknown \
field or parameter is refused.

# Errors

Every error is `{success: false, error: {code, message}}`; act on `code`, since messages may change. A 422 also has `error.errors`: from each \
field to what is wrong with it. `x-errors` of an operation lists its codes by \
status. Of several reasons to refuse a request the first of this order is given: 401, 403, 404, 422, 409. \
Another person's object is a 404, as a missing one is. What is not HTTP at all, or has a head that is too large, is answered 400 or \
431 without a body, and the connection is closed.

# Values

* **Money** is a decimal in the major unit of its currency (rupees), with at most two decimal places: 251.39. A third decimal place is refused.
* **Times** are RFC 3339 in UTC with milliseconds, `2026-03-14T09:12:04.000Z`. **Ids** are UUIDs. **Places** are degrees (WGS 84).
* **Lists in a query** are written `?status=accepted&status=arrived` or `?status=accepted,arrived`.
* **Pages** are counted from 1. A `limit` outside its range is refused.

# Repeating a request

A POST that takes an `Idempotency-Key` can be sent again with the same key and body: it is carried out once, and answered as before for 24 \
hours. One that makes something and can't do that refuses a key with 422, for example because its answer holds a secret that is shown only once. A \
message is sent once by its `client_message_id`. A step of a job (accept, arrive, cancel and so on) that is sent again with its key is answered as \
the first time, also when the job has moved on; without a key it is refused then. The steps of a call or a payment need no key. After a 503 \
`OUTCOME_UNKNOWN`, or no answer at all, repeat it with the same key. `Retry-After` says when.

# Limits

Requests are counted by person, by a partner's key, or by address where nobody is signed in; `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` say \
what is left, and 429 that nothing is. A JSON body has at most 64 KiB unless the operator sets another limit, and has no `Content-Encoding`. \
Answers are compressed if `Accept-Encoding` allows it.

# Versions

This is `info.version` of the interface. Every path is also served below `/api/v1`. Fields, parameters and operations may be added within a version; \
what is going to end is marked `deprecated` and answered with `Deprecation` and `Link`. An old path is the same operation as the one that `x-same-as` names.";

const TAGS: &[(&str, &str)] = &[
    ("auth", "Signing in: one-time passwords, tokens, sessions, the identity provider of admins."),
    ("users", "The caller's own account."),
    ("places", "Places by their name, and the address at a point."),
    ("vehicles", "What the caller may be stranded with."),
    ("service-categories", "Kinds of help, and what they cost."),
    ("workshops", "Where vehicles are towed to."),
    ("mechanics", "Registering, being verified, being available and where."),
    ("offers", "Jobs offered to a mechanic, to be accepted or declined in time."),
    ("jobs", "A stranded customer's job, from creation to completion."),
    ("tracking", "Where the mechanic is, and what happened so far."),
    ("payments", "What customers pay, in fees too, and what they get back; the gateway's webhook."),
    ("disputes", "Contesting the work or its price."),
    (
        "wallet",
        "What mechanics have, where they are paid to, what they withdraw, and the accounts of a period.",
    ),
    ("uploads", "Files: announced, sent to a store, completed, and opened by links that end soon."),
    ("ratings", "What the two sides of a job think of each other."),
    ("shares", "Links by which anyone may follow a job."),
    ("chat", "What the two sides of a job write to each other."),
    ("calls", "Calls between the two sides of a job; their signals go over the socket."),
    (
        "notifications",
        "The caller's notifications, the devices that get them as pushes, and which kinds they want as pushes.",
    ),
    ("realtime", "The socket, and tickets to open it."),
    (
        "partners",
        "Organisations that order help for others: whom they help, what they agreed, and what they learn of it.",
    ),
    ("partner-fleets", "The vehicles and drivers that a partner keeps, so that its cases can name them."),
    (
        "partner-webhooks",
        "Where events go that partners want to be told of, and how far each of them has come.",
    ),
    ("admin", "What admins at several desks see and do, and what every admin does."),
    (
        "admin-dispatch",
        "What admins at the dispatch desk see and do: jobs and their mechanics, callbacks, the map, people who call on the phone.",
    ),
    (
        "admin-money",
        "What admins at the money desk see and do: payments, refunds, disputes, no-shows, withdrawals, settlements.",
    ),
    (
        "admin-people",
        "What admins at the people desk see and do: mechanics and their documents, accounts, ratings, questions about data.",
    ),
    (
        "admin-settings",
        "What admins at the settings desk see and do: the service's status, workshops, dispatch settings, privacy notices.",
    ),
    ("super-admin", "Who is an administrator: invitations and roles."),
    ("documents", "The interface, for machines, and what an app needs before anyone signs in."),
    ("health", "Whether the process lives, is ready, and what it measures."),
    ("sandbox", "A customer's phone at the embedded gateway's checkout; development only"),
    ("demo", "A simulated city on this server, and signing in with a click; development only."),
];

/// The description of a parameter whose handler gives none.
const PARAMETERS: [(&str, &str); 21] = [
    ("page", "Which page, from 1."),
    ("limit", "How many there are at most."),
    ("status", "Only what has this status."),
    ("role", "Only who has this role."),
    ("job_id", "Only what is about this job."),
    ("customer_id", "Only what is of this customer."),
    ("mechanic_profile_id", "Only what is about this mechanic."),
    ("object_type", "Only what was done to objects of this kind, such as `job` or `user`."),
    ("object_id", "Only what was done to this object."),
    ("vehicle_type", "Only who serves such vehicles."),
    ("service_category_id", "Only who offers this kind of help."),
    ("lat", "Degrees north (WGS 84)."),
    ("lng", "Degrees east (WGS 84)."),
    ("since_seq", "Only what came after the event of this number."),
    ("format", "What the answer is written in; without it `Accept` decides."),
    ("expires", "Part of the signed link: when it ends, in seconds since 1970."),
    ("signature", "Part of the signed link."),
    ("gateway_order_id", "The id that the gateway gave the order."),
    ("token", "The token, as it was handed out."),
    ("paymentId", "The payment's id."),
    ("upiAccountId", "The UPI account's id."),
];

/// The nouns that differ from the path's segment before the id without its `s`.
const NOUNS: [(&str, &str); 4] = [
    ("service-categories", "service category"),
    ("upi", "UPI account"),
    ("shares", "share link"),
    ("push-tokens", "push token"),
];

/// Makes the first sentence the title, without its full stop, and the others the description.
pub(super) fn set_apart(operation: &mut Value) {
    let Some(text) = operation["summary"].as_str() else { return };
    let more = operation["description"].as_str().unwrap_or_default();
    let text = format!("{text} {more}").split_whitespace().collect::<Vec<_>>().join(" ");
    let (title, rest) = first_sentence(&text);
    operation["summary"] = json!(title.trim_end_matches('.'));
    if !rest.is_empty() {
        operation["description"] = json!(rest);
    }
}

/// Splits a text after its first sentence, which ends with a full stop before a capital letter or a backtick: "e.g.
/// this" goes on.
fn first_sentence(text: &str) -> (&str, &str) {
    let ends = text.match_indices(". ").map(|(at, stop)| (at + 1, at + stop.len()));
    let begins_anew = |rest: &str| rest.starts_with(|c: char| c.is_uppercase() || c == '`');
    let end = ends.into_iter().find(|(_, next)| begins_anew(&text[*next..]));
    end.map_or((text, ""), |(end, next)| (&text[..end], &text[next..]))
}

/// The tag of admins' operations. If one desk is needed, the desk's name follows.
const ADMIN: &str = "admin";

/// Says in words which desks an operation needs (`x-desks`); if it is for admins at one desk, the tag names the desk.
pub(super) fn name_desks(operation: &mut Value) {
    let desks = |way: &str| -> Vec<String> {
        let names = operation["x-desks"][way].as_array().into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (one_of, each_of) = (desks("one_of"), desks("each_of"));
    let sentence = match one_of.as_slice() {
        [] if each_of.is_empty() => return,
        [] => "For admins who are at every desk.".to_owned(),
        [one] => format!("For admins at the {one} desk."),
        [firsts @ .., last] => {
            format!("For admins at one of these desks: {} or {last}.", firsts.join(", "))
        }
    };
    if let ([desk], true) = (one_of.as_slice(), operation["tags"][0] == ADMIN) {
        operation["tags"][0] = json!(format!("{ADMIN}-{desk}"));
    }
    describe_further(operation, &sentence);
}

/// Says in words which scope an operation of partners needs (`x-scopes`); any key has one of all.
pub(super) fn name_scopes(operation: &mut Value) {
    let scopes: Vec<&str> =
        operation["x-scopes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let sentence = match scopes.as_slice() {
        [] => return,
        [one] => format!("For partners with the scope {one}."),
        _ => "For all partners.".to_owned(),
    };
    describe_further(operation, &sentence);
}

fn describe_further(operation: &mut Value, sentence: &str) {
    let description = operation["description"].as_str().unwrap_or_default();
    let completed =
        if description.is_empty() { sentence.to_owned() } else { format!("{description}\n\n{sentence}") };
    operation["description"] = json!(completed);
}

/// Describes each parameter in `path` or in the query that has no description yet.
pub(super) fn describe_parameters(path: &str, operation: &mut Value) {
    for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
        if parameter.get("$ref").is_some() || parameter["description"].is_string() {
            continue;
        }
        let name = parameter["name"].as_str().unwrap_or_default();
        let usual = PARAMETERS.iter().find(|(known, _)| *known == name).map(|(_, words)| (*words).to_owned());
        let words = usual.or_else(|| noun(path, name).map(|noun| format!("The {noun}'s id.")));
        if let Some(words) = words {
            parameter["description"] = json!(words);
        }
    }
}

/// Returns what `{name}` in a path is an id of: in `/jobs/{id}` a job.
fn noun(path: &str, name: &str) -> Option<String> {
    let (before, _) = path.split_once(&format!("/{{{name}}}"))?;
    let segment = before.rsplit('/').next()?;
    let known = NOUNS.iter().find(|(known, _)| *known == segment).map(|(_, noun)| (*noun).to_owned());
    known.or_else(|| Some(segment.strip_suffix('s')?.replace('-', " ")))
}

/// Returns the tags that are in use, in the order of the interface.
pub(super) fn tags(paths: &Value) -> Value {
    let operations = paths.as_object().into_iter().flatten().flat_map(|(_, item)| item.as_object()).flatten();
    let used: BTreeSet<&str> = operations
        .flat_map(|(_, operation)| operation["tags"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let known = TAGS.iter().filter(|(name, _)| used.contains(name));
    known.map(|(name, description)| json!({"name": name, "description": description})).collect()
}

/// Returns the description of a success whose handler gives none: for one object, the first sentence about its type.
pub(super) fn usual_description(schemas: &Value, status: &str, response: &Value) -> String {
    let schema = response["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
    let name = schema_name(schema.trim_start_matches('#')).unwrap_or_default();
    let data = &schemas[name]["properties"]["data"];
    let content = data["$ref"].as_str().filter(|_| name.starts_with("Success_"));
    let content = content.and_then(|target| schema_name(target.trim_start_matches('#')));
    let about = schemas[content.unwrap_or(name)]["description"].as_str().unwrap_or_default();
    let sentence = about.split(['.', '(']).next().unwrap_or_default().trim_end();
    match status {
        "204" => "Done; there is no body".to_owned(),
        _ if name.starts_with("Page_") => "One page of the list".to_owned(),
        _ if name.starts_with("List_") || data["type"] == "array" => "The whole list".to_owned(),
        "201" => "Made".to_owned(),
        _ if sentence.is_empty() => "Done".to_owned(),
        _ => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_sentence() {
        for (text, title, rest) in [
            ("The job.", "The job", None),
            (
                "The job. `null` before it is made.\nNever shown.",
                "The job",
                Some("`null` before it is made. Never shown."),
            ),
            ("Kinds, e.g. tyres, of 2.5 km.", "Kinds, e.g. tyres, of 2.5 km", None),
        ] {
            let mut operation = json!({"summary": text});
            set_apart(&mut operation);
            assert_eq!((&operation["summary"], operation["description"].as_str()), (&json!(title), rest));
        }
    }

    #[test]
    fn the_desks_and_scopes_of_an_operation_are_said_in_words_and_a_single_desk_by_the_tag() {
        use crate::accounts::auth::{desk, scope};
        for (tag, desks, text, expected) in [
            ("admin", json!(desk::Money), "For admins at the money desk.", "admin-money"),
            ("wallet", json!(desk::Money), "For admins at the money desk.", "wallet"),
            (
                "admin",
                json!(desk::Tuning),
                "For admins at one of these desks: dispatch or settings.",
                "admin",
            ),
            ("admin", json!(desk::Every), "For admins who are at every desk.", "admin"),
        ] {
            let mut operation = json!({"tags": [tag], "x-desks": desks, "description": "Slow."});
            name_desks(&mut operation);
            assert_eq!(operation["description"], format!("Slow.\n\n{text}"));
            assert_eq!(operation["tags"], json!([expected]));
        }
        let mut of_partners = json!({"x-scopes": scope::Cases, "description": "Slow."});
        name_scopes(&mut of_partners);
        assert_eq!(of_partners["description"], "Slow.\n\nFor partners with the scope cases.");
        let mut of_all = json!({"tags": ["admin"]});
        name_desks(&mut of_all);
        assert_eq!(of_all, json!({"tags": ["admin"]}));
    }

    #[test]
    fn an_id_belongs_to_the_segment_before_it() {
        for (path, name, expected) in [
            ("/jobs/{id}/line-items/{item_id}", "item_id", Some("line item")),
            ("/jobs/{id}/line-items/{item_id}", "id", Some("job")),
            ("/wallet/upi/{upiAccountId}", "upiAccountId", Some("UPI account")),
            ("/service-categories/{id}", "id", Some("service category")),
            ("/jobs", "id", None),
        ] {
            assert_eq!(noun(path, name).as_deref(), expected, "{name} of {path}");
        }
    }
}
