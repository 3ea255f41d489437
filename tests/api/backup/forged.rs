//! Backups that somebody has made to harm the person who restores them. Their digests are right.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use roadcall::platform::{
    db::testing::fresh_database,
    settings::{DbSettings, Secret},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions, raw_sql};

use super::{Folder, backed_up, empty_database, ended, manifest, roadcall};
use crate::embedded::DataDir;

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the manifest, with a matching digest.
pub(super) fn write_manifest(backup: &Path, manifest: &Value) {
    let text = serde_json::to_vec(manifest).unwrap();
    fs::write(backup.join("manifest.sha256"), format!("{}  manifest.json\n", sha256(&text))).unwrap();
    fs::write(backup.join("manifest.json"), text).unwrap();
}

/// Adds or replaces a file of a backup and its entry in the manifest.
pub(super) fn plant(backup: &Path, path: &str, bytes: &[u8]) {
    fs::create_dir_all(backup.join(path).parent().unwrap()).unwrap();
    fs::write(backup.join(path), bytes).unwrap();
    let mut listed = manifest(backup);
    listed["files"][path] = json!({"size_bytes": bytes.len(), "sha256": sha256(bytes)});
    write_manifest(backup, &listed);
}

/// Makes a folder that looks like somebody else's cluster.
fn victim() -> Folder {
    let victim = Folder::new();
    fs::create_dir_all(victim.0.join("pgdata")).unwrap();
    fs::write(victim.0.join("pgdata/PG_VERSION"), "15\n").unwrap();
    victim
}

fn is_unharmed(victim: &Folder) -> bool {
    victim.0.join("pgdata/PG_VERSION").is_file()
}

const PLANTED: [&str; 8] = [
    "postgres.location",
    "postgres/pgdata/standby.signal",
    "postgres/pgdata/postgresql.auto.conf",
    "roadcall.lock",
    "basemap.pmtiles",
    "icons/logo.png",
    "uploads",
    "token_secret/x",
];

#[tokio::test]
async fn only_a_dump_uploads_and_a_secret_are_taken_from_a_backup() {
    let database = fresh_database().await;
    let (data, settings) = (Folder::new(), database.settings());
    for path in PLANTED {
        let (to, into, victim) = (Folder::new(), Folder::new(), victim());
        let backup = backed_up(&to, &[], &data.0, Some(&settings)).await;
        let secret = backup.join("token_secret");
        if secret.exists() {
            fs::remove_file(secret).unwrap();
        }
        plant(&backup, path, victim.text().as_bytes());
        let expected = format!("{path} does not belong in a backup");
        for command in [&["backup", "check"][..], &["restore"]] {
            let arguments = [command, &[backup.to_str().unwrap()]].concat();
            let data_dir = (command[0] == "restore").then_some(into.0.as_path());
            let said = ended(roadcall(&arguments, data_dir, None)).await.refused();
            assert!(said.contains(&expected), "{said}");
        }
        assert!(is_unharmed(&victim) && !into.0.exists(), "{path}");
    }
}

/// `pg_restore` would read it instead of the file whose digest was compared.
#[tokio::test]
async fn a_file_planted_beside_the_dumps_own_is_found() {
    let database = fresh_database().await;
    let (to, data, into) = (Folder::new(), Folder::new(), Folder::new());
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let listed = manifest(&backup);
    let mut paths = listed["files"].as_object().unwrap().keys();
    let compressed = paths.find(|path| path.starts_with("database/") && path.ends_with(".gz")).unwrap();
    let beside = compressed.strip_suffix(".gz").unwrap();
    fs::write(backup.join(beside), "\\.\n").unwrap();
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&into.0), None)).await.refused();
    assert!(said.contains(&format!("{beside} does not belong in a backup")), "{said}");
    assert!(!into.0.exists());
}

#[tokio::test]
async fn a_failed_restore_removes_its_own_folders_and_none_that_a_file_names() {
    let database = fresh_database().await;
    let (to, data, victim, into) = (Folder::new(), Folder::new(), victim(), DataDir::new());
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    plant(&backup, "database/toc.dat", b"PGDMP, or so it says");
    // A restore of an earlier release may have left this of such a backup.
    let stage = into.0.join(".restoring");
    fs::create_dir_all(&stage).unwrap();
    fs::write(stage.join("postgres.location"), victim.text()).unwrap();
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&into.0), None)).await.refused();
    assert!(said.contains("pg_restore failed"), "{said}");
    assert!(is_unharmed(&victim), "{said}");
    let left: Vec<_> = fs::read_dir(&into.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["roadcall.lock"]);
}

#[tokio::test]
async fn the_sql_of_a_dump_runs_no_programs() {
    let database = fresh_database().await;
    let (superuser, ordinary) = (database.roles().owner.clone(), database.ordinary_owner());
    if superuser.get_username() == ordinary.get_username() {
        // The server is not the tests' own.
        return;
    }
    // The user that Postgres runs as may write here.
    let place = DataDir::new();
    fs::create_dir(&place.0).unwrap();
    fs::set_permissions(&place.0, fs::Permissions::from_mode(0o777)).unwrap();
    let ran = place.0.join("ran");
    let forge = format!(
        "create function forge() returns boolean language plpgsql as $$ begin
            execute format('copy (select 1) to program %L', 'cat > {}');
            return true;
        end $$;
        create materialized view forged as select forge()",
        ran.display()
    );
    let mut owner = PgConnection::connect_with(&superuser).await.unwrap();
    raw_sql(AssertSqlSafe(forge)).execute(&mut owner).await.unwrap();
    owner.close().await.unwrap();
    fs::remove_file(&ran).expect("it runs where the owner is a superuser");

    let (to, data, embedded) = (Folder::new(), Folder::new(), DataDir::new());
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&embedded.0), None)).await.refused();
    assert!(said.contains("pg_restore failed") && said.contains("program"), "{said}");
    assert!(!ran.exists() && !embedded.0.join("postgres").exists());

    let (empty, into) = (empty_database(&database).await, Folder::new());
    let said = ended(roadcall(&restore, Some(&into.0), Some(&empty))).await.refused();
    assert!(said.contains("pg_restore failed") && !ran.exists(), "{said}");

    let connect: PgConnectOptions = empty.owner().unwrap().parse().unwrap();
    let url = connect.username(superuser.get_username()).to_url_lossy().to_string();
    let mighty = DbSettings { owner_url: Some(Secret(url)), ..empty };
    let said = ended(roadcall(&restore, Some(&into.0), Some(&mighty))).await.refused();
    assert!(said.contains("may run programs") && said.contains("OWNER_URL") && !ran.exists(), "{said}");
}
