//! The people of the demo: everyone signs up, breakdowns happen, and at the end everyone goes offline.

use std::{sync::Arc, time::Duration};

use roadcall_actors::{clock::Clock, geo::Point, random::Random};
use roadcall_client::{Api, ClientError, Person};
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, mpsc, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    api_client::{Category, categories, service_at},
    customer::{Breakdown, Breakdowns, Customer},
    mechanic::Mechanic,
    news::News,
    scenario::Scenario,
    shared::{Shared, Shutdown},
    stats::Stats,
};
use crate::{
    city,
    rng::{Rng, Stream},
};

/// The number of breakdowns that may wait for a free customer. A further breakdown does not happen, and is counted.
const WAITING: usize = 4;
/// How long the first breakdowns wait for the first mechanic to be online.
const ONLINE_WAIT: Duration = Duration::from_secs(10);
/// How long everyone has to cancel open jobs and go offline.
const END_LIMIT: Duration = Duration::from_secs(15);
/// The workshops of the demo.
const WORKSHOPS: [&str; 3] = ["Lakshmi Motors", "City Garage", "Highway Auto Works"];
const WORKSHOPS_WITHIN_M: f64 = 30_000.0;
/// The number of people who sign up at once.
const SIGN_UPS: usize = 8;

// Streams of draws: mechanics count from 0, customers from here on.
const CUSTOMER_STREAMS: u64 = 10_000;
const DEMAND_STREAM: u64 = 20_000;

/// The service to use, and an admin who verifies mechanics there.
#[derive(derive_more::Debug, Clone)]
#[debug("ServiceAccess {{ base: {base:?}, .. }}")]
pub struct ServiceAccess {
    /// The service's address, such as `http://127.0.0.1:8090`.
    pub base: String,
    pub admin_email: String,
    pub admin_password: String,
}

/// The reason why the people can't sign up.
#[derive(Debug, thiserror::Error)]
pub enum PopulationError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("the scenario: {key}: the service knows no category {slug}; it knows {known}")]
    NoCategory { key: String, slug: String, known: String },
    #[error(
        "the scenario: demand.mix_percent.{slug}: the category must serve all of customers.vehicle_types"
    )]
    NoVehicle { slug: String },
    #[error("someone could not sign up: {0}")]
    SignUp(String),
}

/// The people who use the service. They stop at once when this is dropped.
#[derive(Debug)]
pub struct Population {
    pub shared: Arc<Shared>,
    /// The phone number of one of the customers.
    pub phone: String,
    /// Stops new breakdowns.
    closing: watch::Sender<bool>,
    /// Makes everyone go offline.
    shutdown: watch::Sender<bool>,
    people: JoinSet<()>,
}

/// The data that everyone needs to sign up.
#[derive(Debug)]
struct Registration {
    shared: Arc<Shared>,
    api: Api,
    categories: Vec<Category>,
    /// The first digits of everyone's phone number, drawn anew for each demo: a number may ask for few one-time
    /// passwords an hour.
    prefix: String,
}

impl Population {
    /// Signs everyone up, and lets the first breakdown happen once mechanics are online.
    pub async fn start(
        scenario: Scenario,
        service: &ServiceAccess,
        clock: Clock,
    ) -> Result<Self, PopulationError> {
        let api = service_at(&service.base)?;
        let tokens = api.sign_in_admin(&service.admin_email, &service.admin_password).await?;
        let admin = Person::new(&api, tokens);
        let categories = categories(&admin).await?;
        // All Indian numbers that begin with 9 are mobile.
        let prefix = format!("+919{}", Random::system().digits(5));
        let shared = Arc::new(Shared::new(scenario, clock));
        let registration = Arc::new(Registration { shared: shared.clone(), api, categories, prefix });
        let mix = registration.mix()?;
        registration.check_mechanics()?;
        open_workshops(&admin, &shared.scenario).await?;
        let mechanics = sign_up(shared.scenario.mechanics.len(), |index| {
            mechanic(registration.clone(), admin.clone(), index)
        });
        let mechanics = mechanics.await?;
        let customers =
            sign_up(shared.scenario.customers.names.len(), |index| customer(registration.clone(), index))
                .await?;
        let (closing, closed) = Shutdown::new();
        let (shutdown, requested) = Shutdown::new();
        let (breakdowns, waiting) = mpsc::channel(WAITING);
        let waiting: Breakdowns = Arc::new(Mutex::new(waiting));
        let mut people = JoinSet::new();
        for mechanic in mechanics {
            people.spawn(mechanic.run(requested.clone()));
        }
        for customer in customers {
            people.spawn(customer.run(waiting.clone(), requested.clone()));
        }
        people.spawn(demand(shared.clone(), mix, breakdowns, closed));
        Ok(Self { shared, phone: registration.phone(CUSTOMER_STREAMS), closing, shutdown, people })
    }

    /// Stops new breakdowns, and waits until open jobs have ended and are paid, at most until `patience` ends.
    pub async fn wind_down(&self, patience: impl Future<Output = ()>) {
        self.closing.send_replace(true);
        tokio::select! {
            () = self.shared.until(|stats| stats.open.is_empty() && stats.revenue.owing.is_empty()) => {}
            () = patience => {}
        }
    }

    /// Makes everyone cancel their open jobs and go offline.
    pub async fn end(mut self) -> Stats {
        self.closing.send_replace(true);
        self.shutdown.send_replace(true);
        let all_gone = async { while self.people.join_next().await.is_some() {} };
        if timeout(END_LIMIT, all_gone).await.is_err() {
            self.shared.trouble("the demo", "not everyone went offline in time");
        }
        self.shared.stats()
    }
}

/// Opens workshops at the first places, for customers who have their vehicle towed. Workshops of an earlier demo stay, and are
/// enough if they are in this city.
async fn open_workshops(admin: &Person, scenario: &Scenario) -> Result<(), ClientError> {
    let known: Value = admin.get("/admin/workshops?limit=100").await?;
    let centre = scenario.centre();
    let is_near = |workshop: &Value| match (workshop["lat"].as_f64(), workshop["lng"].as_f64()) {
        (Some(lat), Some(lng)) => centre.distance_m(Point::new(lat, lng)) < WORKSHOPS_WITHIN_M,
        _ => false,
    };
    if known["data"].as_array().is_some_and(|known| known.iter().any(is_near)) {
        return Ok(());
    }
    for (place, name) in scenario.places.iter().zip(WORKSHOPS) {
        let body = json!({
            "name": name, "address": format!("near {}", place.name), "lat": place.lat, "lng": place.lng,
        });
        admin.post::<Value>("/admin/workshops", body).await?;
    }
    Ok(())
}

/// Signs up `count` people, a few at once. Fails if one of them fails.
async fn sign_up<T, F>(count: usize, one: impl Fn(usize) -> F) -> Result<Vec<T>, PopulationError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, ClientError>> + Send + 'static,
{
    let (mut running, mut done) = (JoinSet::new(), Vec::with_capacity(count));
    let mut next = 0;
    while done.len() < count {
        while next < count && running.len() < SIGN_UPS {
            running.spawn(one(next));
            next += 1;
        }
        match running.join_next().await {
            Some(Ok(person)) => done.push(person?),
            Some(Err(error)) => return Err(PopulationError::SignUp(error.to_string())),
            None => break,
        }
    }
    Ok(done)
}

async fn mechanic(
    registration: Arc<Registration>,
    admin: Person,
    index: usize,
) -> Result<Mechanic, ClientError> {
    let spec = registration.shared.scenario.mechanics[index].clone();
    let person = registration.sign_in(index as u64, &spec.name).await?;
    let random = registration.stream(index as u64);
    Mechanic::register(spec, person, &admin, &registration.categories, registration.shared.clone(), random)
        .await
}

async fn customer(registration: Arc<Registration>, index: usize) -> Result<Customer, ClientError> {
    let customers = &registration.shared.scenario.customers;
    let number = CUSTOMER_STREAMS + index as u64;
    let name = customers.names[index].clone();
    let person = registration.sign_in(number, &name).await?;
    let vehicle_type = &customers.vehicle_types[index % customers.vehicle_types.len()];
    Customer::register(name, person, vehicle_type, registration.shared.clone(), registration.stream(number))
        .await
}

impl Registration {
    fn stream(&self, number: u64) -> Stream {
        stream(&self.shared, number)
    }

    /// Returns ten digits after the country's code, as in Indian numbers.
    fn phone(&self, number: u64) -> String {
        format!("{}{:04}", self.prefix, (number % CUSTOMER_STREAMS) + 5_000 * (number / CUSTOMER_STREAMS))
    }

    async fn sign_in(&self, number: u64, name: &str) -> Result<Person, ClientError> {
        Ok(Person::new(&self.api, self.api.sign_in(&self.phone(number), name).await?))
    }

    fn find(&self, slug: &str, key: impl ToString) -> Result<&Category, PopulationError> {
        self.categories.iter().find(|category| category.slug == slug).ok_or_else(|| {
            let known: Vec<&str> = self.categories.iter().map(|category| category.slug.as_str()).collect();
            PopulationError::NoCategory {
                key: key.to_string(),
                slug: slug.to_owned(),
                known: known.join(", "),
            }
        })
    }

    /// Returns the categories to ask for, with their weights.
    fn mix(&self) -> Result<Vec<(Category, f64)>, PopulationError> {
        let Scenario { demand, customers, .. } = &self.shared.scenario;
        let wanted = demand.mix_percent.iter().filter(|(_, percent)| **percent > 0.0);
        wanted
            .map(|(slug, percent)| {
                let category = self.find(slug, "demand.mix_percent")?;
                let serves_all =
                    customers.vehicle_types.iter().all(|kind| category.vehicle_types.contains(kind));
                if serves_all {
                    Ok((category.clone(), *percent))
                } else {
                    Err(PopulationError::NoVehicle { slug: slug.clone() })
                }
            })
            .collect()
    }

    fn check_mechanics(&self) -> Result<(), PopulationError> {
        for (index, mechanic) in self.shared.scenario.mechanics.iter().enumerate() {
            for slug in mechanic.categories.iter().flatten() {
                self.find(slug, format!("mechanics[{index}].categories"))?;
            }
        }
        Ok(())
    }
}

/// Sends breakdowns at random times and places, as many as the city's mechanics can serve.
async fn demand(
    shared: Arc<Shared>,
    mix: Vec<(Category, f64)>,
    breakdowns: mpsc::Sender<Breakdown>,
    mut closed: Shutdown,
) {
    let random = stream(&shared, DEMAND_STREAM);
    timeout(ONLINE_WAIT, shared.until(|stats| stats.mechanics_online() > 0)).await.ok();
    let began = shared.now();
    loop {
        let wanted = &shared.scenario.demand;
        let drawn = random.draw().weighted(mix.iter().map(|(_, percent)| *percent));
        let (Some((category, _)), Some(place)) = (mix.get(drawn), random.pick(&shared.scenario.places))
        else {
            return;
        };
        let point = city::near(place.point(), wanted.spread_m, random.draw());
        let breakdown = Breakdown { category: category.clone(), place: place.name.clone(), point };
        let stats = shared.stats();
        let jobs = stats.count(|status| !status.is_over());
        if wanted.can_be_served(jobs, stats.mechanics_online()) && breakdowns.try_send(breakdown).is_err() {
            shared.report(News::NobodyFree);
        }
        tokio::select! {
            () = sleep(random.gap(wanted.rate(shared.now() - began))) => {}
            () = closed.requested() => break,
        }
    }
    // Dropping the sender ends the wait of all customers.
}

fn stream(shared: &Shared, number: u64) -> Stream {
    Stream::new(Rng::new(shared.scenario.seed).number(number))
}
