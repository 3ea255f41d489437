//! Lets the city play, and signs in with a click as one of three people. Each is found again by a fixed phone number or email.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use roadcall_actors::{clock::Clock, geo::Point, random::Random};

use super::{
    city::{CityAdmin, CityPerson},
    context::{Demo, DemoContext},
    dto::DemoRole,
};
use crate::{
    accounts::auth::{
        self, AdminAccountRow, Role, SignedIn, UserStatus,
        sessions::{self, SessionOwner},
    },
    lifecycle::admins::{self, CreateAdminError},
    platform::{
        db::Db,
        error::{ApiError, ApiResult, commit_error},
    },
};

const ADMIN_EMAIL: &str = "demo-admin@example.com";
const CITY_EMAIL: &str = "demo-city@example.com";
const CUSTOMER: (&str, &str) = ("+916000000001", "Demo Customer");
const MECHANIC: (&str, &str) = ("+916000000002", "Demo Mechanic");

/// Makes the admin who verifies the city's mechanics, with a password that only this process knows.
pub async fn city_admin(db: &Db) -> Result<CityAdmin, CreateAdminError> {
    let (email, password) = (CITY_EMAIL.to_owned(), new_password());
    admins::create_admin(db, &email, &password, Role::Admin, &Clock::system(), &Random::system()).await?;
    Ok(CityAdmin { email, password })
}

fn refused(error: CreateAdminError) -> ApiError {
    match error {
        CreateAdminError::Refused(refusal) => refusal,
        CreateAdminError::Database(error) => error.into(),
        other => ApiError::internal(other),
    }
}

/// Lets the city play, unless it does. If it plays far from this point, it ends there and begins anew around it.
pub(super) async fn play(context: &DemoContext, demo: &Demo, around: Option<Point>) -> ApiResult<()> {
    // Making the admin again changes the password that an earlier request is about to use.
    let _one_at_a_time = demo.settling.lock().await;
    let around = around.map(|point| demo.city.nearest(point));
    if demo.is_playing_near(around) {
        return Ok(());
    }
    demo.stop();
    let admin = city_admin(&context.db).await.map_err(refused)?;
    demo.start(admin, around, context.clock.now());
    Ok(())
}

/// Opens a session, and creates the person first if this is the first time.
pub(super) async fn sign_in(
    context: &DemoContext,
    demo: &Demo,
    role: DemoRole,
    user_agent: Option<&str>,
) -> ApiResult<SignedIn> {
    let _one_at_a_time = demo.settling.lock().await;
    let ((phone, name), is_mechanic) = match role {
        DemoRole::Admin => return open_admin(context, user_agent).await,
        DemoRole::Customer => (CUSTOMER, false),
        DemoRole::Mechanic => (MECHANIC, true),
    };
    let signed_in = open_person(context, phone, name, user_agent).await?;
    let token = signed_in.access_token.clone();
    let person = if is_mechanic {
        CityPerson::Mechanic { token, admin_token: open_admin(context, None).await?.access_token }
    } else {
        CityPerson::Customer { token }
    };
    demo.city.settle(demo.base.clone(), person).await.map_err(ApiError::unavailable)?;
    Ok(signed_in)
}

async fn open_person(
    context: &DemoContext,
    phone: &str,
    name: &str,
    user_agent: Option<&str>,
) -> ApiResult<SignedIn> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let person = auth::person_of_phone(&mut tx, context.random.id(now), phone, Some(name), now).await?;
    auth::may_sign_in(&person)?;
    let budget = context.auth.auth.budget_of(person.id, Some(phone));
    let owner = SessionOwner { user_id: person.id, role: person.role, budget };
    let signed_in = sessions::open(context, &mut tx, owner, user_agent, now).await?;
    tx.commit().await.map_err(commit_error)?;
    auth::forget(context, person.id).await;
    Ok(signed_in)
}

async fn open_admin(context: &DemoContext, user_agent: Option<&str>) -> ApiResult<SignedIn> {
    if find_admin(context).await?.is_none_or(|account| account.status != UserStatus::Active) {
        let (role, password) = (Role::SuperAdmin, new_password());
        let made =
            admins::create_admin(&context.db, ADMIN_EMAIL, &password, role, &context.clock, &context.random);
        made.await.map_err(refused)?;
    }
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let account = auth::admin_of_identity(&mut tx, "", ADMIN_EMAIL).await?;
    let account = account.ok_or_else(|| ApiError::internal("the demo's admin was deleted meanwhile"))?;
    let owner = SessionOwner::admin(account.id, account.role);
    let signed_in = sessions::open(context, &mut tx, owner, user_agent, now).await?;
    tx.commit().await.map_err(commit_error)?;
    auth::forget(context, account.id).await;
    Ok(signed_in)
}

async fn find_admin(context: &DemoContext) -> ApiResult<Option<AdminAccountRow>> {
    let mut db = context.db.acquire().await?;
    Ok(auth::admin_of_identity(&mut db, "", ADMIN_EMAIL).await?)
}

fn new_password() -> String {
    URL_SAFE_NO_PAD.encode(Random::system().bytes::<18>())
}
