//! A restored server has everything that the backed-up one had.

use std::{collections::BTreeMap, fs};

use futures_util::future::{self, Either};
use roadcall::platform::{db::testing::patient_settings, settings::DbSettings};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use super::{Folder, backed_up, empty_database, ended, manifest, roadcall, until_backed_up};
use crate::{
    embedded::DataDir,
    support::{Client, Scene, Stranded, TestApp, bodies::id_of, spawn_app, spawn_app_with, uploads},
    wallet::{Earner, spawn_prompt},
};

/// Things that people see of their own.
struct Seen {
    job: Value,
    wallet: Value,
    photo: Vec<u8>,
}

async fn seen(
    app: &TestApp,
    customer: &Client,
    job: &str,
    photo: &uploads::Announced,
    earner: &Client,
) -> Seen {
    let customer = customer.at(app.address);
    let shown = customer.get(&format!("/jobs/{job}")).await.expect(200);
    let of_interest = ["id", "status", "seq", "photo_urls", "vehicle", "total_price"];
    let job: BTreeMap<&str, Value> =
        of_interest.into_iter().map(|field| (field, shown[field].clone())).collect();
    let link = photo.link_path(&customer).await;
    Seen {
        job: json!(job),
        wallet: earner.at(app.address).get("/wallet").await.expect(200),
        photo: reqwest::get(format!("http://{}{link}", app.address))
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap()
            .to_vec(),
    }
}

fn assert_same(before: &Seen, now: &Seen) {
    assert_eq!(now.job, before.job);
    assert_eq!(now.wallet, before.wallet);
    assert!(now.photo == before.photo, "the photo has other bytes");
}

/// Makes a job with a photo.
pub(super) async fn job_with_photo(stranded: &Stranded) -> (String, uploads::Announced) {
    let photo = uploads::uploaded(&stranded.client, "job_photo", &uploads::photo()).await;
    let mut body = stranded.call_body();
    body["photo_urls"] = json!([photo.file_url]);
    (id_of(&stranded.client.post("/jobs", body).await.expect(201)), photo)
}

/// Asserts that a restore without a terminal names each step once.
#[track_caller]
fn assert_names_each_step(stderr: &str, manifest: &Value) {
    let files: Vec<&String> = manifest["files"].as_object().unwrap().keys().collect();
    let copied = files.iter().filter(|path| !path.starts_with("database/")).count();
    assert!(copied > 0 && copied < files.len(), "{files:?}");
    let steps = [
        format!("Checking the files of the backup: {}", files.len()),
        "Preparing the database".to_owned(),
        format!("Copying files: {copied}"),
        "Restoring the database".to_owned(),
        "Comparing with what the backup says".to_owned(),
    ];
    let begin = ["Checking", "Preparing", "Copying", "Restoring", "Comparing"];
    let said: Vec<&str> =
        stderr.lines().filter(|line| begin.iter().any(|word| line.starts_with(word))).collect();
    assert_eq!(said, steps, "{stderr}");
    assert!(!stderr.contains('\r'), "{stderr:?}");
}

#[actix_web::test]
async fn a_backup_moves_a_server_into_an_embedded_database_and_back() {
    let mut app = spawn_prompt().await;
    let admin = app.admin().await;
    let scene: Scene = app.accepted().await;
    scene.serve().await;
    scene.pay_cash().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 100_000).await;
    let stranded = app.breakdown_at((28.6, 77.2)).await;
    let (job, photo) = job_with_photo(&stranded).await;
    // A search would go on, and change the job.
    stranded.cancel(&job).await;
    let open: Scene = app.accepted().await;
    let (customer, earner) = (stranded.client, earner.client);
    let before = seen(&app, &customer, &job, &photo, &earner).await;

    let to = Folder::new();
    let backup = backed_up(&to, &[], &app.data_dir, Some(&app.database.settings())).await;
    let listed = manifest(&backup);
    assert_eq!(listed["uploads"]["here"], 1);
    assert_eq!((&listed["has_token_secret"], &listed["format"]), (&json!(true), &json!(1)));

    // Whatever happens after the backup is lost, and harms nobody.
    let refresh = json!({"refreshToken": customer.refresh_token});
    let rotated = customer.post("/auth/refresh", refresh).await.expect(200)["data"]["refreshToken"].clone();
    let later = app.customer().await;

    let folder = DataDir::new();
    // A restore that was killed has left something.
    fs::create_dir_all(folder.0.join(".restoring/uploads")).unwrap();
    let restore = ["restore", backup.to_str().unwrap(), "--release-payouts"];
    let restored = ended(roadcall(&restore, Some(&folder.0), None)).await;
    assert_names_each_step(&restored.stderr, &listed);
    let said = restored.well();
    assert!(said.contains("rows of job_states"), "{said}");
    assert!(said.contains("ledger: digest"), "{said}");
    assert!(!said.contains("DIFFERENT"), "{said}");
    assert!(!folder.0.join(".restoring").exists());

    let first_settings = app.database.settings();
    app.restart_with(|settings| {
        settings.database = patient_settings();
        settings.server.data_dir = folder.0.clone();
    })
    .await;
    assert_same(&before, &seen(&app, &customer, &job, &photo, &earner).await);
    // The newer refresh token is unknown: they sign in once more, and nothing is revoked.
    let here = customer.at(app.address);
    let refused = here.without_token().post("/auth/refresh", json!({"refreshToken": rotated})).await;
    assert_eq!(refused.status, 401, "{}", refused.text);
    here.get("/users/me").await.expect(200);
    assert_eq!(later.at(app.address).get("/users/me").await.status, 401);
    app.sign_in_by_code(&customer.phone).await.get(&format!("/jobs/{job}")).await.expect(200);
    // A client that has seen more events of the job than exist gets all of them again.
    let mut socket = app.socket(&open.customer.at(app.address)).await;
    let ahead = json!({"job_id": open.job, "since_seq": 500});
    socket.ask("job.subscribe", ahead).await.expect("subscribed");
    assert_eq!(socket.expect("resync_required").await["job_id"], json!(open.job));
    socket.expect("job.snapshot").await;
    drop(socket);

    let before = seen(&app, &customer, &job, &photo, &earner).await;
    let again = Folder::new();
    let backup = backed_up(&again, &[], &folder.0, None).await;
    app.stop().await;
    let (database, data) = (empty_database(&app.database).await, Folder::new());
    let restore = ["restore", backup.to_str().unwrap(), "--release-payouts"];
    ended(roadcall(&restore, Some(&data.0), Some(&database))).await.well();
    assert_eq!(rights(&database).await, rights(&first_settings).await);
    app.restart_with(|settings| {
        settings.database = database;
        settings.server.data_dir = data.0.clone();
    })
    .await;
    assert_same(&before, &seen(&app, &customer, &job, &photo, &earner).await);
    app.stop().await;
}

/// Returns the rights of the service's role, and of everybody, in a database.
async fn rights(database: &DbSettings) -> Vec<(String, bool, String)> {
    let mut owner = PgConnection::connect(database.owner().unwrap()).await.unwrap();
    let service: String = {
        let mut service = PgConnection::connect(database.server().unwrap()).await.unwrap();
        sqlx::query_scalar("select current_user::text").fetch_one(&mut service).await.unwrap()
    };
    let rights = sqlx::query_as(
        "select p.oid::regprocedure::text, has_function_privilege('public', p.oid, 'execute'),
            has_function_privilege($1::text::name, p.oid, 'execute')::text
        from pg_proc p where p.pronamespace = 'public'::regnamespace
        union all
        select c.relname::text, has_schema_privilege('public', 'public', 'create'), coalesce((
            select string_agg(a.privilege_type, ' ' order by a.privilege_type)
            from aclexplode(c.relacl) a where a.grantee = $1::text::regrole::oid), '')
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
        order by 1",
    )
    .bind(service)
    .fetch_all(&mut owner)
    .await
    .unwrap();
    owner.close().await.unwrap();
    rights
}

#[actix_web::test]
async fn a_backup_under_writes_is_a_consistent_snapshot() {
    let app = spawn_app().await;
    let mechanic = app.mechanic().await;
    let writing = async {
        for _ in 0..u64::MAX {
            app.fund(&mechanic.profile_id, 1_000).await;
        }
    };
    let (to, data) = (Folder::new(), Folder::new());
    let settings = app.database.settings();
    app.fund(&mechanic.profile_id, 1_000).await;
    let making = backed_up(&to, &[], &app.data_dir, Some(&settings));
    let backup = match future::select(Box::pin(writing), Box::pin(making)).await {
        Either::Right((backup, _)) => backup,
        Either::Left(_) => unreachable!("it writes for ever"),
    };
    let of_backup = manifest(&backup)["rows"]["earnings"].as_i64().unwrap();
    let now: i64 = app.value("select count(*) from earnings", &[]).await;
    assert!(of_backup >= 1 && of_backup < now, "{of_backup} of {now}");
    // The restore itself compares rows and the ledger's sums with the manifest.
    let into = empty_database(&app.database).await;
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&data.0), Some(&into))).await.well();
    assert!(said.contains("is restored"), "{said}");
}

#[actix_web::test]
async fn a_server_backs_itself_up_when_the_newest_backup_is_too_old() {
    let to = Folder::new();
    let folder = to.0.clone();
    let old = "2026-01-01T030000.000Z";
    fs::create_dir_all(folder.join(old)).unwrap();
    fs::write(folder.join(old).join("manifest.json"), "{}").unwrap();
    let mut app = spawn_app_with(|settings| {
        settings.backup.every_hours = 1;
        settings.backup.keep = 1;
        settings.backup.folder = folder;
    })
    .await;
    let backup = until_backed_up(&to, |name| name != old && !to.0.join(old).exists()).await;
    let said = ended(roadcall(&["backup", "check", backup.to_str().unwrap()], None, None)).await.well();
    assert!(said.contains("is whole"), "{said}");
    // The next start finds the backup young enough.
    app.restart().await;
    app.anonymous().get("/health/ready").await.expect(200);
    assert!(backup.exists());
    // Admins see the backup, and when it was last checked.
    let status = app.admin().await.get("/admin/status").await.expect(200);
    let lines = status["lines"].as_array().unwrap();
    let line = |about: &str| {
        lines.iter().find(|line| line["about"] == about).unwrap_or_else(|| panic!("{about}: {status}"))
    };
    assert_eq!(line("backup")["state"], "ok", "{status}");
    assert_eq!(line("backup_test")["state"], "ok", "{status}");
    let tried = line("backup_test")["text"].as_str().unwrap();
    assert!(tried.starts_with("Last checked ") && tried.ends_with(" ago, last restored never."), "{tried}");
    app.stop().await;
}
