use chrono::DateTime;
use roadcall_actors::{
    geo::Bounds,
    ids::MechanicId,
    status::{Status, Urgency},
};

use super::{
    super::{
        changes::FleetNews,
        dto::{BoundingBox, FleetChanges, FleetGone},
    },
    *,
};

fn window(bbox: &str, zoom: u8) -> FleetWindow {
    FleetWindow { bounds: bbox.parse::<BoundingBox>().unwrap().0, zoom, has_details: false }
}

fn mechanic(number: u128, (lat, lng): (f64, f64), is_free: bool) -> OnlineMechanic {
    let fresh_until = DateTime::UNIX_EPOCH + TimeDelta::seconds(60);
    OnlineMechanic {
        id: MechanicId(Uuid::from_u128(number)),
        point: Point::new(lat, lng),
        is_free,
        fresh_until,
    }
}

fn job(number: u128, (pickup_lat, pickup_lng): (f64, f64), mechanic: Option<u128>) -> OpenJobRow {
    OpenJobRow {
        id: Uuid::from_u128(number),
        status: if mechanic.is_some() { Status::EnRoute } else { Status::Dispatching }.into(),
        pickup_lat,
        pickup_lng,
        service_category_id: Uuid::nil(),
        urgency: Urgency::Normal.into(),
        begin_at: DateTime::UNIX_EPOCH,
        mechanic_profile_id: mechanic.map(Uuid::from_u128),
        accepted_at: None,
        promised_at: None,
        concern: None,
        corrections: 0,
    }
}

fn view(window: FleetWindow, online: Vec<OnlineMechanic>, open: &[OpenJobRow]) -> FleetView {
    let online = match online.len() <= window.most(open) {
        true => Fleet::Each(online),
        false => counted(window, &online),
    };
    FleetView::of(window, online, open, TimeDelta::seconds(60), DateTime::UNIX_EPOCH)
}

/// Counts mechanics by square, as the engine does.
fn counted(window: FleetWindow, online: &[OnlineMechanic]) -> Fleet {
    let mut squares: BTreeMap<(i64, i64), FleetSquare> = BTreeMap::new();
    for mechanic in online {
        let place = window.squares().of(mechanic.point);
        let square = squares.entry(place).or_insert(FleetSquare { place, free: 0, busy: 0 });
        *if mechanic.is_free { &mut square.free } else { &mut square.busy } += 1;
    }
    Fleet::Counted(squares.into_values().collect())
}

#[test]
fn each_is_shown_with_what_it_does_even_if_its_job_is_elsewhere() {
    let online = vec![
        mechanic(3, (12.95, 77.6), false),
        mechanic(2, (12.95, 77.6), false),
        mechanic(1, (12.95, 77.6), true),
    ];
    let open = [job(11, (12.95, 77.6), None), job(12, (13.5, 77.6), Some(3))];
    let seen = view(window("77.5,12.9,77.7,13", 12), online, &open);
    let states: Vec<_> = seen.mechanics.iter().map(|mechanic| (mechanic.state, mechanic.job_id)).collect();
    let on_job = (FleetState::Busy, Some(Uuid::from_u128(12)));
    assert_eq!(states, [(FleetState::Free, None), (FleetState::Offered, None), on_job]);
    assert_eq!(seen.mechanics[0].seen_at, DateTime::UNIX_EPOCH.into());
    assert_eq!(seen.jobs.len(), 1);
    let counts = FleetCounts { free: 1, busy: 2, waiting_jobs: 1, active_jobs: 0 };
    assert_eq!((seen.is_aggregated, seen.counts), (false, counts));
}

#[test]
fn many_are_counted_in_cells_at_any_zoom() {
    let crowd: Vec<_> = (0..=MAX_SHOWN as u128).map(|number| mechanic(number, (12.95, 77.6), true)).collect();
    let place = window("77.5,12.9,77.7,13", 14);
    assert!(!view(place, crowd[1..].to_vec(), &[]).is_aggregated);
    let seen = view(place, crowd, &[]);
    assert!(seen.is_aggregated && seen.mechanics.is_empty());
    let [cell] = &seen.cells[..] else { panic!("one cell, not {:?}", seen.cells) };
    assert_eq!((cell.counts.free, cell.counts), (2_001, seen.counts));
    let half = cell.size_degrees / 2.0;
    assert!((cell.lat - 12.95).abs() <= half && (cell.lng - 77.6).abs() <= half, "{cell:?}");
}

#[test]
fn a_window_never_has_too_many_cells_and_each_point_is_in_one_of_them() {
    let boxes = ["-180,-90,180,90", "77.5,12.9,77.7,13", "170,-60,-170,80", "179.9,0,-179.9,0.2", "0,0,0,0"];
    for bbox in boxes {
        for zoom in 0..=22 {
            let window = window(bbox, zoom);
            let squares = window.squares();
            assert!(window.squares_within(squares) <= MAX_CELLS, "{bbox} {zoom}");
            let Bounds { west, south, east, north } = window.bounds;
            for point in [Point::new(south, west), Point::new(north, east)] {
                let cell = squares.middle(squares.of(point));
                let apart = (cell.lng - point.lng).abs();
                let apart = apart.min(360.0 - apart);
                let near = squares.degrees / 2.0 + 1e-9;
                assert!((cell.lat - point.lat).abs() <= near && apart <= near, "{bbox} {zoom}: {cell:?}");
            }
        }
    }
    assert_eq!(window("77.5,12.9,77.6,13", 11).squares().degrees, 90.0 / 2_048.0);
}

#[test]
fn changes_are_what_differs_and_nothing_else() {
    let place = window("77.5,12.9,77.7,13", 13);
    let (here, there) = ((12.95, 77.6), (12.96, 77.6));
    let before = view(place, vec![mechanic(1, here, true), mechanic(2, here, true)], &[job(11, here, None)]);
    assert_eq!(
        FleetChanges::between(&before, &FleetView { at: DateTime::UNIX_EPOCH.into(), ..before.clone() }),
        None
    );
    let after = view(place, vec![mechanic(1, there, true), mechanic(3, here, true)], &[job(12, here, None)]);
    let changes = FleetChanges::between(&before, &after).unwrap();
    assert_eq!(changes.mechanics, after.mechanics);
    assert_eq!(changes.jobs, after.jobs);
    let gone = FleetGone { mechanics: vec![Uuid::from_u128(2)], jobs: vec![Uuid::from_u128(11)] };
    assert_eq!(changes.gone, gone);
    // An event outside the window changes only the counts.
    let everywhere = FleetTotals { concerns: 1, ..FleetTotals::default() };
    let elsewhere = FleetView { everywhere, ..after.clone() };
    let changes = FleetChanges::between(&after, &elsewhere).unwrap();
    assert_eq!((changes.everywhere, changes.mechanics, changes.jobs), (everywhere, vec![], vec![]));

    let far = window("70,0,80,20", 5);
    let before = view(far, vec![mechanic(1, here, true), mechanic(2, (1.0, 71.0), true)], &[]);
    let after = view(far, vec![mechanic(1, here, false)], &[]);
    let changes = FleetChanges::between(&before, &after).unwrap();
    let counts: Vec<_> = changes.cells.iter().map(|cell| (cell.counts.free, cell.counts.busy)).collect();
    assert_eq!(counts, [(0, 1), (0, 0)], "the second has nothing left");
}

#[test]
fn everything_is_sent_again_in_another_form_or_after_a_pause() {
    let (near, far) = (window("77.5,12.9,77.7,13", 13), window("77.5,12.9,77.7,13", 8));
    let online = || vec![mechanic(1, (12.95, 77.6), true)];
    let (before, cells) = (view(near, online(), &[]), view(far, online(), &[]));
    let news = |after: &FleetView, seconds| FleetNews::between(&before, after, TimeDelta::seconds(seconds));
    assert_eq!(news(&before, 1), FleetNews::Nothing);
    assert_eq!(news(&before, 6), FleetNews::Everything, "the client has not read");
    assert_eq!(news(&before, -60), FleetNews::Everything, "the clock was set back");
    assert_eq!(news(&cells, 1), FleetNews::Everything);
    let gone = news(&view(near, Vec::new(), &[]), 1);
    assert!(matches!(gone, FleetNews::Some(changes) if changes.gone.mechanics.len() == 1));
}

#[test]
fn with_details_all_open_jobs_are_there_however_many_are_in_sight() {
    let near = window("77.5,12.9,77.7,13", 13).with_details(true);
    let far = window("77.5,12.9,77.7,13", 8).with_details(true);
    let open = [job(12, (1.0, 1.0), Some(3)), job(11, (12.95, 77.6), None)];
    for (window, is_aggregated) in [(near, false), (far, true)] {
        let seen = view(window, Vec::new(), &open);
        let ids: Vec<_> = seen.jobs.iter().map(|job| job.id.as_u128()).collect();
        assert_eq!((seen.is_aggregated, ids), (is_aggregated, vec![11, 12]));
        assert_eq!((seen.counts.waiting_jobs, seen.counts.active_jobs), (1, 0), "of the box");
    }
    // If there are too many jobs, the waiting ones come first.
    let many: Vec<_> =
        (0..=MAX_SHOWN as u128).rev().map(|id| job(id, (1.0, 1.0), (id > 0).then_some(id))).collect();
    let seen = view(near, Vec::new(), &many);
    assert_eq!((seen.jobs.len(), seen.jobs[0].id), (MAX_SHOWN, Uuid::from_u128(0)));
}
