//! PostGIS: nearest neighbours by a GiST index on a geography column, over a socket, prepared statements.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use roadcall_actors::geo::Point;
use sqlx::{
    AssertSqlSafe, Connection, PgConnection,
    postgres::{PgConnectOptions, PgSslMode},
};

use super::{
    K, Measured, WITHIN_M,
    city::{Answers, City},
};
use crate::Failure;

const QUESTIONS: usize = 1_000;
const MOVES: usize = 2_000;
/// Both reckon on a sphere of the same radius.
const TOLERANCE_M: f64 = 0.1;
const BATCH: usize = 5_000;

const TABLE: [&str; 3] = [
    "create extension if not exists postgis",
    "drop table if exists points",
    "create table points (id integer primary key, at geography(point) not null) with (fillfactor = 50)",
];
const FILL: &str = "insert into points select id, st_makepoint(lng, lat)::geography \
    from unnest($1::integer[], $2::float8[], $3::float8[]) as given (id, lng, lat)";
const INDEX: [&str; 2] = ["create index on points using gist (at)", "vacuum analyze points"];
const MOVE: &str = "update points set at = st_makepoint($2, $3)::geography where id = $1";

/// `use_spheroid` is off: a sphere, as everybody else.
fn nearest() -> String {
    format!(
        "select id, st_distance(at, st_makepoint($1, $2)::geography, false) from points \
         where st_dwithin(at, st_makepoint($1, $2)::geography, {WITHIN_M}, false) \
         order by at <-> st_makepoint($1, $2)::geography limit {K}"
    )
}

pub async fn run(
    folder: &Path,
    city: &City,
    expected: &Answers,
    runs: usize,
) -> Result<Vec<Measured>, Failure> {
    let options =
        PgConnectOptions::new_without_pgpass().socket(folder).username("postgres").database("postgres");
    let mut client = PgConnection::connect_with(&options.ssl_mode(PgSslMode::Disable)).await?;
    fill(&mut client, city).await?;
    let nearest = nearest();
    let (mut asked, mut moved) = (Vec::new(), Vec::new());
    let mut answers = Answers::new();
    for _ in 0..runs {
        answers.clear();
        let start = Instant::now();
        for from in city.questions.iter().take(QUESTIONS) {
            let query = sqlx::query_as::<_, (i32, f64)>(AssertSqlSafe(nearest.as_str()));
            let rows = query.bind(from.lng).bind(from.lat).fetch_all(&mut client).await?;
            answers.push(rows.into_iter().map(|(id, _)| id as u32).collect());
        }
        asked.push(start.elapsed());
    }
    for _ in 0..runs {
        moved.push(move_points(&mut client, city).await?);
    }
    let note = city.compare(expected, &answers, TOLERANCE_M)?;
    Ok(vec![
        Measured::new("PostGIS: nearest 10 by KNN, one at a time", QUESTIONS, asked).noted(note),
        Measured::new("PostGIS: update of a point, one at a time", MOVES, moved),
    ])
}

async fn fill(client: &mut PgConnection, city: &City) -> Result<(), Failure> {
    for statement in TABLE {
        sqlx::query(statement).execute(&mut *client).await?;
    }
    let numbers: Vec<i32> = (0..city.points.len() as i32).collect();
    for (numbers, points) in numbers.chunks(BATCH).zip(city.points.chunks(BATCH)) {
        let of = |coordinate: fn(&Point) -> f64| points.iter().map(coordinate).collect::<Vec<f64>>();
        let query = sqlx::query(FILL).bind(numbers).bind(of(|point| point.lng)).bind(of(|point| point.lat));
        query.execute(&mut *client).await?;
    }
    for statement in INDEX {
        sqlx::query(statement).execute(&mut *client).await?;
    }
    Ok(())
}

async fn move_points(client: &mut PgConnection, city: &City) -> Result<Duration, Failure> {
    let start = Instant::now();
    for number in city.moving.iter().take(MOVES) {
        let Point { lat, lng } = city.elsewhere[*number as usize];
        sqlx::query(MOVE).bind(*number as i32).bind(lng).bind(lat).execute(&mut *client).await?;
    }
    Ok(start.elapsed())
}
