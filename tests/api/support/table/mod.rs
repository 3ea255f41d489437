//! Every route, who may call it, and a valid body. A new route is one line in its area's file; without it the tests of
//! authorization and of hostile bodies fail. The files have the names of the areas of `src/`.

mod admin;
mod auth;
mod calls;
mod categories;
mod chat;
mod demo;
mod dispatch;
mod disputes;
mod edge;
mod feeds;
mod grievances;
mod incoming;
mod invites;
mod jobs;
mod lifecycle;
mod mechanics;
mod no_shows;
mod notices;
mod notifications;
mod offers;
mod openapi;
mod organisations;
mod pages;
mod partner_bills;
mod partner_cases;
mod partner_contracts;
mod payments;
mod places;
mod ratings;
mod sandbox;
mod shares;
mod tow_reviews;
mod tracking;
mod uploads;
mod users;
mod vehicles;
mod wallet;
mod workshops;
mod ws;

use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::LocalBoxFuture;
use serde_json::{Value, json};

use super::{Person, TestApp, bodies::id_of, partners::ALL_SCOPES};

/// The callers, in the order of the columns of [`Expected`].
pub const CALLERS: [&str; 13] = [
    "no token",
    "customer",
    "other customer",
    "mechanic",
    "other mechanic",
    "admin",
    "super_admin",
    "admin at dispatch",
    "admin at money",
    "admin at people",
    "admin at settings",
    "partner's member",
    "partner's key",
];

/// The desks of the four callers before the last two.
const DESKS: [&str; 4] = ["dispatch", "money", "people", "settings"];

/// A place in Bengaluru, where everything happens.
const HERE: (f64, f64) = (12.9716, 77.5946);

/// An id that no object has.
const NOBODY: &str = "018f0000-0000-7000-8000-00000000dead";

/// The status that each caller gets; [`OK`] means anything except a refusal of the caller.
pub type Expected = [u16; 13];

pub const OK: u16 = 200;
/// The status for an admin at another desk than the required ones.
const NO: u16 = 403;

const PUBLIC: Expected = [OK; 13];
const SIGNED_IN: Expected = of([401, OK, OK, OK, OK, OK, OK], [OK; 4]);
/// The customer's own object, of a kind that everybody who is signed in may have.
const OWNER: Expected = of([401, OK, 404, 404, 404, 404, 404], [404; 4]);
/// The customer's own object, which belongs to a job.
const OWNER_ON_JOB: Expected = of([401, OK, 404, 404, 404, 404, 404], [404, 404, 404, NO]);
/// The customer's own object, of a kind that only customers have; a mechanic is also a customer.
const OWNER_CUSTOMER: Expected = of([401, OK, 404, 404, 404, 403, 403], [NO; 4]);
/// The customer's own document, which the admins who verify people may see, too.
const OWNER_OR_PEOPLE: Expected = of([401, OK, 404, 404, 404, OK, OK], [NO, NO, OK, NO]);
const CUSTOMER: Expected = of([401, OK, OK, OK, OK, 403, 403], [NO; 4]);
const MECHANIC: Expected = of([401, 403, 403, OK, OK, 403, 403], [NO; 4]);
/// The mechanic's own profile; callers without one have to register.
const OWN_PROFILE: Expected = of([401, 404, 404, OK, OK, 403, 403], [NO; 4]);
/// The customer's job, with the mechanic assigned.
const PARTICIPANT: Expected = of([401, OK, 404, OK, 404, OK, OK], [OK, OK, OK, NO]);
/// Such a job, where admins at other desks than dispatch may only read.
const PARTICIPANT_OR_DISPATCH: Expected = of([401, OK, 404, OK, 404, OK, OK], [OK, NO, NO, NO]);
/// Such a job, for a route that only the people on the road have.
const PARTY: Expected = of([401, OK, 404, OK, 404, 403, 403], [NO; 4]);
/// The mechanic's own offer, or the job that they are assigned to.
const OWN_MECHANIC: Expected = of([401, 403, 403, OK, 404, 403, 403], [NO; 4]);
/// The mechanic's own settlement, which the admins who pay it may see, too.
const OWN_MECHANIC_OR_MONEY: Expected = of([401, 403, 403, OK, 404, OK, OK], [NO, OK, NO, NO]);
/// The members of an organisation and its programs.
const PARTNER: Expected = [401, 403, 403, 403, 403, 403, 403, NO, NO, NO, NO, OK, OK];
const SUPER_ADMIN: Expected = of([401, 403, 403, 403, 403, 403, OK], [NO; 4]);

const DISPATCH: Expected = admin([OK, NO, NO, NO]);
const MONEY: Expected = admin([NO, OK, NO, NO]);
const PEOPLE: Expected = admin([NO, NO, OK, NO]);
const SETTINGS: Expected = admin([NO, NO, NO, OK]);
/// The admins who are responsible for a job or a person.
const CASES: Expected = admin([OK, OK, OK, NO]);
const DISPATCH_OR_PEOPLE: Expected = admin([OK, NO, OK, NO]);
/// The admins who dispatch, and those who configure it.
const TUNING: Expected = admin([OK, NO, NO, OK]);
const ANY_DESK: Expected = admin([OK; 4]);
const EVERY_DESK: Expected = admin([NO; 4]);

/// Returns the statuses of all callers: of everybody, and of admins who are at one desk alone. A partner's member is a
/// customer without objects, and a key admits nobody outside the partners' own routes.
const fn of(all: [u16; 7], [dispatch, money, people, settings]: [u16; 4]) -> Expected {
    let [nobody, customer, other, mechanic, another, admin, super_admin] = all;
    [
        nobody,
        customer,
        other,
        mechanic,
        another,
        admin,
        super_admin,
        dispatch,
        money,
        people,
        settings,
        other,
        401,
    ]
}

const fn admin(narrow: [u16; 4]) -> Expected {
    of([401, 403, 403, 403, 403, OK, OK], narrow)
}

/// Returns every row of every area.
pub fn all_rows() -> impl Iterator<Item = &'static Row> {
    [
        admin::ROWS,
        auth::ROWS,
        calls::ROWS,
        categories::ROWS,
        chat::ROWS,
        demo::ROWS,
        dispatch::ROWS,
        disputes::ROWS,
        edge::ROWS,
        feeds::ROWS,
        grievances::ROWS,
        incoming::ROWS,
        invites::ROWS,
        jobs::ROWS,
        lifecycle::ROWS,
        mechanics::ROWS,
        no_shows::ROWS,
        notices::ROWS,
        notifications::ROWS,
        offers::ROWS,
        openapi::ROWS,
        organisations::ROWS,
        pages::ROWS,
        partner_cases::ROWS,
        partner_contracts::ROWS,
        partner_bills::ROWS,
        places::ROWS,
        payments::ROWS,
        ratings::ROWS,
        sandbox::ROWS,
        shares::ROWS,
        tow_reviews::ROWS,
        tracking::ROWS,
        uploads::ROWS,
        users::ROWS,
        vehicles::ROWS,
        wallet::ROWS,
        workshops::ROWS,
        ws::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// A route.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The method and path: `POST /vehicles/{id}`.
    pub route: &'static str,
    pub expected: Expected,
    object: Object,
    /// A body that the allowed callers may send.
    pub body: Option<fn() -> Value>,
    /// Whether the request ends the caller's own session or account, so that somebody new must make it.
    pub ends_caller: bool,
}

/// The object that a path is about.
#[derive(Debug, Clone, Copy)]
enum Object {
    Nothing,
    /// An object with one id.
    Id(Make<String>),
    /// An object within another one: the ids in the order of the path.
    Ids(Make<[String; 2]>),
    /// An object with a signed path.
    Path(Make<String>),
}

/// A function that makes a new object.
type Make<T> = for<'w> fn(&'w World<'_>) -> LocalBoxFuture<'w, T>;

const fn row(route: &'static str, expected: Expected) -> Row {
    Row { route, expected, object: Object::Nothing, body: None, ends_caller: false }
}

impl Row {
    const fn of(self, object: Object) -> Self {
        Self { object, ..self }
    }

    const fn body(self, body: fn() -> Value) -> Self {
        Self { body: Some(body), ..self }
    }

    const fn ends_caller(self) -> Self {
        Self { ends_caller: true, ..self }
    }

    pub fn method(&self) -> reqwest::Method {
        let method = self.route.split(' ').next().unwrap_or_default();
        method.parse().expect("a method")
    }

    /// Returns whether only mechanics may use the route.
    pub fn is_of_mechanics(&self) -> bool {
        [MECHANIC, OWN_PROFILE, OWN_MECHANIC].contains(&self.expected)
    }

    pub fn template(&self) -> &'static str {
        self.route.split(' ').nth(1).expect("a route is a method and a path")
    }
}

/// People and their objects.
#[derive(Debug)]
pub struct World<'a> {
    pub app: &'a TestApp,
    /// The callers from the second column on.
    people: Vec<Person>,
    /// The profile of the mechanic in the fourth column.
    profile_id: String,
    /// The organisation of the last two callers.
    pub organisation_id: String,
}

impl<'a> World<'a> {
    pub async fn new(app: &'a TestApp) -> Self {
        let admin = app.admin().await;
        let mechanic = app.verified_mechanic(&admin).await;
        let boss = app.super_admin().await;
        let mut narrow = Vec::new();
        for desk in DESKS {
            narrow.push(app.admin_at(&boss, desk).await);
        }
        let mut people = vec![
            app.customer().await,
            app.customer().await,
            mechanic.client,
            app.verified_mechanic(&admin).await.client,
            admin,
            boss,
        ];
        people.append(&mut narrow);
        let partner = app.partner(&people[4]).await;
        let key = partner.key_with(&ALL_SCOPES, json!({"requests_per_minute": 100_000})).await;
        let member = partner.member("manager").await;
        people.extend([member, app.program(&key)]);
        Self { app, people, profile_id: mechanic.profile_id, organisation_id: partner.id }
    }

    /// Returns the caller of that column of the table; `None` for the first.
    pub fn caller(&self, column: usize) -> Option<&Person> {
        column.checked_sub(1).map(|index| &self.people[index])
    }

    fn customer(&self) -> &Person {
        &self.people[0]
    }

    fn mechanic(&self) -> &Person {
        &self.people[2]
    }

    fn admin(&self) -> &Person {
        &self.people[4]
    }

    fn super_admin(&self) -> &Person {
        &self.people[5]
    }

    /// Returns somebody new with the role of the caller of that column.
    pub async fn someone_like(&self, column: usize) -> Person {
        match column {
            5 => self.app.admin().await,
            6 => self.app.super_admin().await,
            7..=10 => self.app.admin_at(self.super_admin(), DESKS[column - 7]).await,
            _ => self.app.customer().await,
        }
    }

    /// Returns the path of a row, with a new object in it.
    pub async fn path(&self, row: &Row) -> String {
        match row.object {
            Object::Nothing => row.template().to_owned(),
            Object::Id(make) => fill(row.template(), &make(self).await),
            Object::Ids(make) => {
                let [outer, inner] = &make(self).await;
                fill_each(row.template(), [outer.as_str(), inner])
            }
            Object::Path(make) => make(self).await,
        }
    }

    async fn as_admin(&self, path: &str, body: Value) {
        self.admin().post(path, body).await.expect(200);
    }
}

/// Sends a request that makes an object, and returns its id.
async fn made(by: &Person, path: &str, body: Value) -> String {
    id_of(&by.post(path, body).await.expect(201))
}

/// Returns a path with `id` for each of its parameters.
pub fn fill(template: &str, id: &str) -> String {
    fill_each(template, std::iter::repeat(id))
}

/// Returns a path with these ids for its parameters, in their order.
fn fill_each<'t>(template: &'t str, ids: impl IntoIterator<Item = &'t str>) -> String {
    let mut ids = ids.into_iter();
    let mut filled = |part: &'t str| match part.starts_with('{') {
        true => ids.next().expect("an id for each parameter"),
        false => part,
    };
    template.split('/').map(&mut filled).collect::<Vec<_>>().join("/")
}

fn nothing() -> Value {
    json!({})
}

fn reason() -> Value {
    json!({"reason": "papers have run out"})
}

/// Returns a different number each time: a plate belongs to one vehicle, a slug to one category.
fn number() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}
