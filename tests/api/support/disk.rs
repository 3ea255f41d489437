//! A full disk, as the service meets it: Postgres refuses statements that would need room.

use roadcall::platform::db::testing::TestDatabase;
use sqlx::raw_sql;

/// Makes Postgres refuse the check for writes, as it does with a full disk.
pub async fn fill_the_disk(database: &TestDatabase) {
    let full = "create function no_room() returns trigger language plpgsql as
            'begin raise exception ''could not extend file: No space left on device'' using errcode = ''disk_full''; end';
        create trigger no_room before update on take_overs for each row execute function no_room()";
    raw_sql(full).execute(&database.db).await.expect("a trigger");
}

/// Undoes [`fill_the_disk`].
pub async fn make_room(database: &TestDatabase) {
    raw_sql("drop trigger no_room on take_overs; drop function no_room()")
        .execute(&database.db)
        .await
        .expect("no trigger");
}
