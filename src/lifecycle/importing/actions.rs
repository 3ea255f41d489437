//! Writes the new entries of a file, or says what would be written.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{self, ImportKind, MechanicCells, PersonCells},
    error::{ImportError, LineFault},
    queries,
    reading::{self, CsvLine},
};
use crate::{
    accounts::auth,
    catalogue::{
        categories::{self, CategoryRow},
        vehicles::{self, NewVehicle},
    },
    fleet::mechanics,
    http::{Id, Items, ValidationErrors, with_region},
    platform::{
        audit,
        core::Core,
        db::DbRoles,
        error::{ApiError, ApiResult, commit_error},
    },
};

#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// Whether to write nothing.
    pub is_dry_run: bool,
    /// Whether to leave bad lines out.
    pub skips_bad: bool,
}

/// The result of an import, or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    pub added: usize,
    /// Entries that existed already, and were left unchanged.
    pub known: usize,
    pub faults: Vec<LineFault>,
    pub is_written: bool,
}

/// A line without a fault in itself.
enum Entry {
    Mechanic(PersonCells, mechanics::Registration),
    Vehicle(PersonCells, NewVehicle),
}

impl Entry {
    fn person(&self) -> &PersonCells {
        match self {
            Entry::Mechanic(person, _) | Entry::Vehicle(person, _) => person,
        }
    }

    /// Returns the part of a line that must be unique in a file.
    fn key(&self) -> (String, String) {
        let plate = match self {
            Entry::Mechanic(..) => String::new(),
            Entry::Vehicle(_, vehicle) => vehicle.registration_number.0.clone(),
        };
        (self.person().phone.0.clone(), plate)
    }
}

/// Imports a file. Call [`settle_tables`] afterwards, whatever the result.
pub async fn import(
    core: &Core,
    kind: ImportKind,
    bytes: &[u8],
    options: ImportOptions,
) -> Result<Imported, ImportError> {
    let lines = reading::lines(bytes, kind.columns(), kind.required())?;
    let offered: Vec<CategoryRow> =
        categories::all(&core.db).await?.into_iter().filter(|category| category.is_active).collect();
    let mut imported = Imported::default();
    let entries =
        with_region(core.settings.phone.region, || read(kind, &lines, &offered, &mut imported.faults));
    let mut tx = core.db.begin().await?;
    for (line, entry) in entries {
        queries::begin_line(&mut tx).await?;
        match add(&mut tx, core, entry).await {
            Ok(true) => imported.added += 1,
            Ok(false) => imported.known += 1,
            Err(error) if error.code.status().is_server_error() => return Err(error.into()),
            Err(error) => {
                queries::undo_line(&mut tx).await?;
                imported.faults.extend(faults_of(line, error));
            }
        }
        queries::keep_line(&mut tx).await?;
    }
    imported.faults.sort_by_key(|fault| fault.line);
    let is_wanted = !options.is_dry_run && (imported.faults.is_empty() || options.skips_bad);
    if !is_wanted || imported.added == 0 {
        tx.rollback().await?;
        imported.is_written = is_wanted;
        return Ok(imported);
    }
    record(&mut tx, core, kind, &imported).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(Imported { is_written: true, ..imported })
}

/// Tells Postgres how many rows an import has written, or written and rolled back. Postgres would find out by itself later, and
/// until then plan everybody's lists for tables of another size.
pub async fn settle_tables(roles: &DbRoles) -> sqlx::Result<()> {
    roles.as_owner(queries::settle_tables).await
}

/// Returns the valid lines by their numbers, and adds the faults of the others to `faults`.
fn read(
    kind: ImportKind,
    lines: &[CsvLine],
    offered: &[CategoryRow],
    faults: &mut Vec<LineFault>,
) -> Vec<(u64, Entry)> {
    let mut seen = HashMap::new();
    let mut entries = Vec::with_capacity(lines.len());
    for line in lines {
        let entry = match kind {
            ImportKind::Mechanics => dto::mechanic(line)
                .and_then(|(person, cells)| Ok(Entry::Mechanic(person, registration(cells, offered)?))),
            ImportKind::Vehicles => {
                dto::vehicle(line).map(|(person, vehicle)| Entry::Vehicle(person, vehicle))
            }
        };
        match entry {
            Ok(entry) => match seen.insert(entry.key(), line.number) {
                Some(first) => {
                    let column = if kind == ImportKind::Vehicles { "registration_number" } else { "phone" };
                    let why = format!("is on line {first} already");
                    faults.push(LineFault { line: line.number, column: column.to_owned(), why });
                }
                None => entries.push((line.number, entry)),
            },
            Err(wrong) => faults.extend(faults_of(line.number, wrong.into())),
        }
    }
    entries
}

/// Makes the registration that a mechanic would submit, without documents.
fn registration(
    cells: MechanicCells,
    offered: &[CategoryRow],
) -> Result<mechanics::Registration, ValidationErrors> {
    let (mut ids, mut faults) = (Vec::new(), ValidationErrors::default());
    for slug in cells.service_categories.0 {
        match offered.iter().find(|category| category.slug == slug.0) {
            Some(category) => ids.push(Id(category.id)),
            None => {
                let slugs: Vec<&str> = offered.iter().map(|category| category.slug.as_str()).collect();
                faults.add("service_categories", format!("must be some of {}", slugs.join(", ")));
            }
        }
    }
    if !faults.0.is_empty() {
        return Err(faults);
    }
    Ok(mechanics::Registration {
        vehicle_types: cells.vehicle_types,
        service_category_ids: Items(ids),
        documents: Items(Vec::new()),
        service_radius_km: cells.service_radius_km,
    })
}

/// Writes one line; returns `false` if its entry exists already.
async fn add(tx: &mut PgConnection, core: &Core, entry: Entry) -> ApiResult<bool> {
    let now = core.clock.now();
    let person = entry.person();
    let name = person.name.as_ref().map(|name| name.0.as_str());
    let account = auth::person_of_phone(tx, core.random.id(now), &person.phone.0, name, now).await?;
    match entry {
        Entry::Mechanic(_, registration) => mechanics::add(tx, core, account.id, registration).await,
        Entry::Vehicle(_, vehicle) => vehicles::add_if_new(tx, core, account.id, vehicle).await,
    }
}

/// Lists an error's faults by the columns of its fields.
fn faults_of(line: u64, error: ApiError) -> Vec<LineFault> {
    let fault = |column: &str, why: String| LineFault { line, column: column.to_owned(), why };
    if error.errors.is_empty() {
        return vec![fault("", error.message.into_owned())];
    }
    let mut columns: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (field, whys) in &error.errors {
        // The fault of an entry of a list also appears under the list's own name.
        if !field.contains(['[', '.']) {
            columns.insert(column_of(field), whys.clone());
        }
    }
    columns.into_iter().map(|(column, whys)| fault(column, whys.join("; "))).collect()
}

fn column_of(field: &str) -> &str {
    if field == "service_category_ids" { "service_categories" } else { field }
}

async fn record(tx: &mut PgConnection, core: &Core, kind: ImportKind, imported: &Imported) -> ApiResult<()> {
    let entry = audit::NewAuditEntry {
        actor_id: None,
        action: match kind {
            ImportKind::Mechanics => "mechanics.import",
            ImportKind::Vehicles => "vehicles.import",
        },
        subject_kind: "import",
        subject_id: Uuid::nil(),
        before: json!(null),
        after: json!({"added": imported.added, "known": imported.known}),
    };
    Ok(audit::record(tx, &core.random, core.clock.now(), entry).await?)
}
