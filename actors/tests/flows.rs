//! The engine's stories, under paused time.

use std::time::Duration;

use chrono::TimeDelta;
use roadcall_actors::{
    ids::VehicleId,
    job::state::{Actor, Command, Event, JobSpec, Refusal, Stage, Status},
    mechanic::state::Engagement,
    ports::OfferStatus,
    testing::{
        Fault, Told, World,
        world::{CENTRE, category, north, settings, spec, user_of},
    },
    vehicle::VehicleType,
};

fn world() -> World {
    tokio::time::pause();
    World::new()
}

#[actix::test]
async fn a_job_is_offered_to_the_nearest_and_accepted() {
    let mut world = world();
    let far = world.mechanic_at(north(2_000.0)).await;
    let near = world.mechanic_at(north(500.0)).await;
    let job = world.job_at(CENTRE).await;
    let offer = world.offered(job, near).await;
    assert_eq!(world.offer(far), None, "round 1 is for one mechanic alone");
    world.pass_s(1).await;
    assert_eq!(world.outbound.offer_words(offer.offer.id), [OfferStatus::Pending]);
    world.accept(&offer).await.unwrap();
    world.pass_s(1).await;
    assert_eq!(world.status(job), Status::Accepted);
    assert_eq!(world.outbound.offer_words(offer.offer.id), [OfferStatus::Pending, OfferStatus::Accepted]);
    assert!(world.outbound.all().contains(&Told::Assigned { mechanic: user_of(near), job, is_on_it: true }));
    assert_eq!(world.outbound.last_seq(job), Some(world.row(job).seq));
    world.check_quiet().await;
}
