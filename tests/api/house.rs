//! The borders between the areas of the service, checked by reading the source. `queries.rs` checks where SQL may be.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, Macro, UseTree,
    spanned::Spanned,
    visit::{self, Visit},
};
use walkdir::WalkDir;

use crate::{
    layers::area,
    support::source::{self, in_layers, root},
};

/// Places where types may become text or come from it: the wire types of an area, of the socket, of all areas in common, of
/// tokens, and of files that operators write. `demo/` is a client of the interface and has a client's types. A job's log
/// stores its row as JSON (`jobs/row.rs`), a decision of the dispatcher stores the mechanics that it considered, a partner's bill
/// the figures behind it, and a case the offer of a club.
const SHAPES: &[&str] = &[
    "accounts/auth/tokens.rs",
    "platform/db/mod.rs",
    "platform/bus/envelope.rs",
    // The messages between servers.
    "cluster/messages.rs",
    "dispatch/queries.rs",
    "dto.rs",
    "jobs/dto/",
    "platform/error/mod.rs",
    "jobs/line_items/queries.rs",
    "jobs/row.rs",
    "partners/bills/queries.rs",
    "partners/cases/dto/",
    "partners/club_offer/mod.rs",
    "providers/",
    "platform/settings/",
    "service/settings/mod.rs",
    "settings.rs",
    "http/",
    "ws/protocol/",
    "openapi/",
];

/// Places where JSON is assembled by hand: the document, the job's log, tokens, a client's bodies, and the values that
/// `admin::audit` stores.
const HAND_MADE: &[&str] = &[
    "admin/affected/audited.rs",
    "admin/log_filter/actions.rs",
    "grievances/audited.rs",
    "http/admin_list.rs",
    "jobs/job_hook.rs",
    "jobs/callbacks/actions.rs",
    "jobs/log/columns.rs",
    "lifecycle/",
    "catalogue/categories/actions.rs",
    "catalogue/job_stops/audited.rs",
    "catalogue/vehicles/audited.rs",
    "catalogue/workshops/audited.rs",
    "dispatch/settings/actions.rs",
    "money/disputes/actions.rs",
    "money/no_shows/actions.rs",
    "money/tow_reviews/actions.rs",
    "fleet/mechanics/actions/standing.rs",
    "fleet/mechanics/changes/actions.rs",
    "openapi/",
    "money/payments/audited.rs",
    "providers/",
    "sharing/ratings/actions.rs",
    "sharing/shares/audited.rs",
    "accounts/auth/acting.rs",
    "accounts/auth/idp/audited.rs",
    "accounts/auth/renumbering/audited.rs",
    "accounts/auth/otp/testing.rs",
    "accounts/emails/testing.rs",
    "notifications/testing.rs",
    "partners/cases/audited.rs",
    "partners/contracts/audited.rs",
    "partners/feeds/audited.rs",
    "partners/incoming/audited.rs",
    "places/requests/audited.rs",
    "accounts/invites/audited.rs",
    "accounts/notices/audited.rs",
    "accounts/organisations/audited.rs",
    "edge/reads.rs",
    "fuzzing/",
    "accounts/users/audited.rs",
    "money/wallet/settlements/actions.rs",
    "money/wallet/upi/actions.rs",
    "money/wallet/withdrawals/actions.rs",
];

/// Places where a future may be dropped before it has ended: a wait for a time, an event, another service or a client's
/// bytes, a read, or the stop of the whole service. Everywhere else, all work that has begun ends, so that nobody misses a
/// committed change.
const MAY_DROP: &[&str] = &[
    "app/mod.rs",
    "app/leading.rs",
    // It waits for the end of a connection that was answered.
    "app/upgrades.rs",
    "dispatch/recorder.rs",
    // It waits for data that it goes on loading.
    "bridge/recovery.rs",
    "bridge/trail.rs",
    // It waits for messages of other servers.
    "platform/bus/",
    // It waits for spans, and at a stop for the collector.
    "platform/traces/queue.rs",
    "cluster/confirming.rs",
    "cluster/serving.rs",
    "cluster/pings.rs",
    // It reads the database's clock.
    "cluster/reporting.rs",
    // A complaint that is not written in time is made again at once.
    "cluster/unheard.rs",
    "cli/mod.rs",
    "platform/db/",
    "dispatch/handlers.rs",
    // A busy engine is left out.
    "dispatch/fleet_view/totals.rs",
    "edge/health/handlers.rs",
    "accounts/auth/idp/proof.rs",
    "mails/handing_over.rs",
    "notifications/announcing.rs",
    "notifications/pushing.rs",
    "notifications/texting/mod.rs",
    // It waits for a task that continues.
    "money/payments/actions/webhooks.rs",
    "providers/",
    "sandbox/deliveries.rs",
    "uploads/content.rs",
    "http/body.rs",
    "platform/worker.rs",
    "workers/housekeeping.rs",
    // They wait for answers of receivers, and store the outcomes afterwards.
    "partners/feeds/deliveries/sending.rs",
    "partners/feeds/watching/worker.rs",
    "ws/catch_up.rs",
    "ws/listener.rs",
    "ws/hub/tests.rs",
    // It waits for a turn, after which there is nothing left to do.
    "ws/openings.rs",
];

/// Returns whether one of the attributes is `#[name(… word …)]`.
fn has(attributes: &[Attribute], name: &str, word: &str) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident(name) && list.tokens.to_string().contains(word),
        _ => false,
    })
}

/// The lines of list types without a bound.
#[derive(Default)]
struct Lists(Vec<usize>);

impl<'a> Visit<'a> for Lists {
    fn visit_path_segment(&mut self, segment: &'a syn::PathSegment) {
        if ["Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet"]
            .iter()
            .any(|name| segment.ident == name)
        {
            self.0.push(segment.span().start().line);
        }
        visit::visit_path_segment(self, segment);
    }
}

/// The names in one file, without its tests.
#[derive(Default)]
struct Source {
    /// The path below the layers, e.g. `offers/dto.rs`.
    file: String,
    /// The paths with their lines.
    paths: Vec<(String, usize)>,
    shapes: Vec<usize>,
    hand_made: Vec<usize>,
    /// Public types at the file's top level, including those of `text_enum!`, `job_row!` and `list_filter!`.
    types: Vec<String>,
    /// Messages that are sent past a mailbox's bound.
    unbounded: Vec<usize>,
    /// `select!`, `timeout` and `abort`, which may end something midway.
    dropping: Vec<usize>,
    /// Unbounded lists in types that are read from outside.
    unbounded_lists: Vec<usize>,
    /// Handlers, each with whether it takes an `Idempotency-Key` and whether it documents that.
    handlers: Vec<(String, bool, bool)>,
}

impl<'a> Visit<'a> for Source {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        let documented = function.attrs.iter().find_map(|attribute| match &attribute.meta {
            syn::Meta::List(list) if list.path.segments[0].ident == "utoipa" => Some(&list.tokens),
            _ => None,
        });
        if let Some(documented) = documented {
            let is_key = |input: &syn::FnArg| match input {
                syn::FnArg::Typed(typed) => {
                    matches!(&*typed.ty, syn::Type::Path(path) if path.path.is_ident("IdempotencyKey"))
                }
                syn::FnArg::Receiver(_) => false,
            };
            let takes = function.sig.inputs.iter().any(is_key);
            let declares = documented.to_string().contains("IdempotencyKey");
            self.handlers.push((function.sig.ident.to_string(), takes, declares));
        }
        visit::visit_item_fn(self, function);
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        if has(&item.attrs, "derive", "Deserr") {
            let mut lists = Lists::default();
            // A checked value is read as the type that it contains.
            if has(&item.attrs, "deserr", "try_from") {
                let lines =
                    item.attrs.iter().filter(|attribute| has(&[(*attribute).clone()], "deserr", "Vec <"));
                lists.0.extend(lines.map(|attribute| attribute.span().start().line));
            } else {
                item.fields.iter().for_each(|field| lists.visit_type(&field.ty));
            }
            self.unbounded_lists.extend(lists.0);
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let line = path.span().start().line;
        self.paths.push((segments.join("::"), line));
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let line = item.span().start().line;
        self.paths.extend(leaves("", &item.tree).into_iter().map(|path| (path, line)));
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        if attribute.path().is_ident("derive") {
            let line = attribute.span().start().line;
            let derives = attribute.parse_nested_meta(|meta| {
                let name = meta.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                if ["Serialize", "Deserialize", "Deserr", "ToSchema"].contains(&name.as_str()) {
                    self.shapes.push(line);
                }
                Ok(())
            });
            derives.unwrap();
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(called) = &*call.func
            && called.path.segments.last().is_some_and(|last| last.ident == "timeout")
        {
            self.dropping.push(called.span().start().line);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if call.method == "do_send" {
            self.unbounded.push(call.method.span().start().line);
        }
        if call.method == "abort" {
            self.dropping.push(call.method.span().start().line);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, called: &'a Macro) {
        if called.path.segments.last().is_some_and(|last| last.ident == "json") {
            self.hand_made.push(called.span().start().line);
        }
        if called.path.segments.last().is_some_and(|last| last.ident == "select") {
            self.dropping.push(called.span().start().line);
        }
        visit::visit_macro(self, called);
    }
}

fn leaves(before: &str, tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => leaves(&format!("{before}{}::", path.ident), &path.tree),
        UseTree::Name(name) => vec![format!("{before}{}", name.ident)],
        UseTree::Rename(name) => vec![format!("{before}{}", name.ident)],
        UseTree::Glob(_) => vec![before.trim_end_matches("::").to_owned()],
        UseTree::Group(group) => group.items.iter().flat_map(|tree| leaves(before, tree)).collect(),
    }
}

/// Returns whether the first identifier in this macro is the name of a public type.
fn declares_type(called: &Macro) -> bool {
    ["text_enum", "job_row", "list_filter"].iter().any(|name| called.path.is_ident(name))
}

/// Returns the name of a public type that an item declares.
fn public_type(item: &syn::Item) -> Option<String> {
    let (visibility, name) = match item {
        syn::Item::Struct(item) => (&item.vis, &item.ident),
        syn::Item::Enum(item) => (&item.vis, &item.ident),
        syn::Item::Trait(item) => (&item.vis, &item.ident),
        syn::Item::Type(item) => (&item.vis, &item.ident),
        // For example `text_enum! { /// A doc.\n Name { … } }`.
        syn::Item::Macro(item) if declares_type(&item.mac) => {
            let tokens = item.mac.tokens.clone().into_iter();
            return tokens
                .filter_map(|token| syn::parse2::<syn::Ident>(token.into()).ok())
                .map(|name| name.to_string())
                .next();
        }
        _ => return None,
    };
    matches!(visibility, syn::Visibility::Public(_)).then(|| name.to_string())
}

fn read(file: String, source: &str) -> Source {
    let parsed = syn::parse_file(source).unwrap_or_else(|error| panic!("{file} is not Rust: {error}"));
    let mut found = Source { file, ..Source::default() };
    found.types = parsed.items.iter().filter_map(public_type).collect();
    found.visit_file(&parsed);
    found
}

fn files_below(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = WalkDir::new(root().join(folder)).sort_by_file_name().into_iter();
    let files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().into_path()).collect();
    files.into_iter().filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

fn sources() -> Vec<Source> {
    source::files().into_iter().map(|file| read(file.place, &file.text)).collect()
}

/// Returns whether the file is in one of the places: `dto.rs` names such a file in any folder, `web/` everything below that
/// one.
fn stands_in(file: &str, places: &[&str]) -> bool {
    places.iter().any(|place| match place.ends_with('/') {
        true => file.starts_with(place),
        false => file == *place || file.ends_with(&format!("/{place}")),
    })
}

/// Returns the paths that reach into the file `inner` of another area.
fn trespasses(source: &Source, inner: &str) -> Vec<String> {
    let parts = |text: &str, by: &str| text.split(by).map(str::to_owned).collect::<Vec<_>>();
    let own = area(&parts(source.file.trim_end_matches(".rs"), "/"));
    let foreign = source.paths.iter().filter(|(path, _)| {
        let path = parts(path, "::");
        path[0] == "crate"
            && area(&in_layers(path[1..].to_vec())) != own
            && path.iter().any(|part| part == inner)
    });
    foreign.map(|(path, line)| format!("{}:{line}: {path}", source.file)).collect()
}

#[test]
fn no_area_uses_anothers_handlers_or_wire_types() {
    let sources = sources();
    let all = sources.iter().flat_map(|source| {
        let (handlers, dto) = (trespasses(source, "handlers"), trespasses(source, "dto"));
        handlers.into_iter().chain(dto)
    });
    let all: Vec<String> = all.collect();
    assert!(all.is_empty(), "what others need is shown by the area's mod.rs:\n{}", all.join("\n"));
}

#[test]
fn only_the_bridge_calls_another_areas_sql() {
    let sources = sources();
    let others = sources.iter().filter(|source| !source.file.starts_with("bridge/"));
    let all: Vec<String> = others.flat_map(|source| trespasses(source, "queries")).collect();
    assert!(all.is_empty(), "the owner of a table has a function for it in its mod.rs:\n{}", all.join("\n"));
}

#[test]
fn only_listed_places_use_json() {
    let mut astray = Vec::new();
    for Source { file, shapes, hand_made, .. } in sources() {
        if !stands_in(&file, SHAPES) {
            astray.extend(shapes.iter().map(|line| format!("{file}:{line}: a shape of the wire")));
        }
        if !stands_in(&file, HAND_MADE) {
            astray.extend(hand_made.iter().map(|line| format!("{file}:{line}: json!")));
        }
    }
    assert!(astray.is_empty(), "it belongs into the area's dto.rs:\n{}", astray.join("\n"));
}

#[test]
fn every_list_read_from_outside_has_a_bound() {
    let unbounded = sources().into_iter().flat_map(|source| {
        let Source { file, unbounded_lists, .. } = source;
        unbounded_lists.into_iter().map(move |line| format!("{file}:{line}: take `Items<T, MIN, MAX>`"))
    });
    let unbounded: Vec<String> = unbounded.collect();
    assert!(unbounded.is_empty(), "{}", unbounded.join("\n"));
}

#[test]
fn only_the_socket_knows_actors_by_their_addresses() {
    let holds = |source: &Source| {
        let found = source.paths.iter().filter(|(path, _)| {
            let last = path.rsplit("::").next().unwrap_or_default();
            ["Addr", "WeakAddr", "Recipient", "WeakRecipient"].contains(&last)
        });
        found.map(|(path, line)| format!("{}:{line}: {path}", source.file)).collect::<Vec<_>>()
    };
    let sources = sources();
    let elsewhere = sources.iter().filter(|source| !source.file.starts_with("ws/"));
    let all: Vec<String> = elsewhere.flat_map(holds).collect();
    assert!(all.is_empty(), "the engine is reached through EngineHandle:\n{}", all.join("\n"));
    assert!(sources.iter().any(|source| !holds(source).is_empty()), "the search itself is broken");
}

#[test]
fn no_message_is_sent_past_a_mailboxs_bound() {
    let sources = sources();
    let places = |source: &Source| {
        let lines = source.unbounded.iter();
        lines.map(|line| format!("{}:{line}", source.file)).collect::<Vec<_>>()
    };
    let all: Vec<String> = sources.iter().flat_map(places).collect();
    assert!(
        all.is_empty(),
        "do_send ignores the capacity and is silent when the actor is gone:\n{}",
        all.join("\n")
    );
}

#[test]
fn the_database_is_only_reached_through_db() {
    // `Connection` and `Acquire` begin transactions that nobody closes on drop; the others open connections.
    let banned = [
        "PgPool",
        "Pool",
        "PgPoolOptions",
        "PoolOptions",
        "PgConnectOptions",
        "Connection",
        "Acquire",
        "PgListener",
    ];
    let opens = |source: &Source| {
        let found = source.paths.iter().filter(|(path, _)| {
            let mut parts = path.split("::");
            let is_of_sqlx = parts.next().is_some_and(|first| first == "sqlx" || first == "sqlx_core");
            is_of_sqlx && parts.last().is_some_and(|last| banned.contains(&last))
        });
        found.map(|(path, line)| format!("{}:{line}: {path}", source.file)).collect::<Vec<_>>()
    };
    let sources = sources();
    let elsewhere = sources.iter().filter(|source| !source.file.starts_with("platform/db/"));
    let all: Vec<String> = elsewhere.flat_map(opens).collect();
    assert!(
        all.is_empty(),
        "connections are lent out by db::Db, which takes them back clean:\n{}",
        all.join("\n")
    );
    assert!(sources.iter().any(|source| !opens(source).is_empty()), "the search itself is broken");
}

#[test]
fn futures_are_dropped_only_in_listed_places() {
    let sources = sources();
    let dropping = |source: &Source| {
        source.dropping.iter().map(|line| format!("{}:{line}", source.file)).collect::<Vec<_>>()
    };
    let elsewhere = sources.iter().filter(|source| !stands_in(&source.file, MAY_DROP));
    let all: Vec<String> = elsewhere.flat_map(dropping).collect();
    assert!(
        all.is_empty(),
        "select!, timeout and abort drop a future midway; where it writes, let it run in Tasks::run and wait for that:\n{}",
        all.join("\n")
    );
    assert!(sources.iter().any(|source| !dropping(source).is_empty()), "the search itself is broken");
}

#[test]
fn names_of_public_types_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Source { file, types, .. } in sources() {
        for name in types {
            places.entry(name).or_default().push(file.clone());
        }
    }
    assert!(
        places.contains_key("JobRow") && places.contains_key("MechanicStatus"),
        "the search itself is broken"
    );
    let twice = places.iter().filter(|(_, files)| files.len() > 1);
    let twice: Vec<String> = twice.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect();
    assert!(twice.is_empty(), "whoever reads a name should not have to ask which:\n{}", twice.join("\n"));
}

#[test]
fn every_link_between_the_documents_has_a_target() {
    let top =
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"];
    let top = top.iter().map(|name| root().join(name));
    let documents: Vec<PathBuf> = top.chain(files_below("docs", "md")).collect();
    let mut dead = Vec::new();
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let local = targets.filter(|target| !target.is_empty() && !target.contains("://"));
        let missing = local.filter(|target| !document.parent().unwrap().join(target).exists());
        dead.extend(missing.map(|target| format!("{}: {target}", document.display())));
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// Files that include a file of another folder, which more than one crate needs.
const INCLUDES_BY_PATH: [&str; 3] =
    ["actors/tests/fleet/main.rs", "crates/model/src/server.rs", "crates/sim/tests/walls.rs"];

/// Returns every Rust file of the tree, by its path below the root.
fn rust_files() -> Vec<String> {
    let folders = ["actors", "bench", "crates", "src", "tests/api"];
    let paths = folders.iter().flat_map(|folder| files_below(folder, "rs"));
    let files: Vec<String> =
        paths.map(|path| path.strip_prefix(root()).unwrap().display().to_string()).collect();
    assert!(files.len() > 1000, "the search itself is broken");
    files
}

/// Keeps builds short: a changed line compiles and lints all of its crate.
#[test]
fn no_crate_has_more_than_95_000_lines() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for file in rust_files() {
        let Some((before, _)) = file.split_once("src/") else { continue };
        let text = fs::read_to_string(root().join(&file)).unwrap();
        *lines.entry(format!("{before}src")).or_default() += text.lines().count();
    }
    assert!(lines["src"] > 50_000, "the search itself is broken: {lines:#?}");
    lines.retain(|_, lines| *lines > 95_000);
    assert!(
        lines.is_empty(),
        "too many lines of Rust: move the lowest layers of the crate into a library crate that knows nothing of the others, as \
         docs/adr/0141-lower-layers-are-crates.md says: {lines:#?}"
    );
}

#[test]
fn a_module_with_children_is_in_the_mod_rs_of_its_folder() {
    let files = rust_files();
    // A folder may hold only data, such as the examples of the OpenAPI document.
    let folders: BTreeSet<&Path> =
        files.iter().flat_map(|file| Path::new(file).ancestors().skip(1)).collect();
    let astray: Vec<&String> =
        files.iter().filter(|file| folders.contains(Path::new(file).with_extension("").as_path())).collect();
    assert!(astray.is_empty(), "name.rs beside name/ is name/mod.rs: {astray:#?}");
}

#[test]
fn unit_tests_with_a_file_of_their_own_are_in_the_tests_rs_of_their_module() {
    let files = rust_files();
    let mut astray = Vec::new();
    let mut included = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(root().join(&file)).unwrap();
        if file.ends_with("_tests.rs") {
            astray.push(format!("{file} is tests.rs in the folder of what it tests"));
        }
        if source.lines().any(|line| line.trim_start().starts_with("#[path")) {
            if !INCLUDES_BY_PATH.contains(&&*file) {
                astray.push(format!("{file}: a module is where its name says, without #[path]"));
            }
            included.insert(file);
        }
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
    assert_eq!(included, BTreeSet::from(INCLUDES_BY_PATH.map(str::to_owned)), "each exception is needed");
}

#[test]
fn every_spelling_of_a_trespass_is_noticed() {
    let source = "use crate::{error::Code, jobs::{dto::Job, queries as sql}};
        fn f() -> crate::offers::handlers::Answer { line.do_send(1); json!({}) }
        fn g() { timeout(limit, work).await; task.abort(); tokio::select! {} let timeout = limit; }
        #[derive(Debug, serde::Serialize)] struct Loose;";
    let found = read("users/handlers.rs".to_owned(), source);
    assert_eq!(trespasses(&found, "dto"), ["users/handlers.rs:1: crate::jobs::dto::Job"]);
    assert_eq!(trespasses(&found, "queries"), ["users/handlers.rs:1: crate::jobs::queries"]);
    assert_eq!(trespasses(&found, "handlers"), ["users/handlers.rs:2: crate::offers::handlers::Answer"]);
    assert_eq!((found.unbounded, found.hand_made, found.shapes), (vec![2], vec![2], vec![4]));
    assert_eq!(found.dropping, [3, 3, 3]);
    assert!(stands_in("users/dto.rs", SHAPES) && !stands_in("users/handlers.rs", SHAPES));
}

#[test]
fn a_handler_documents_an_idempotency_key_exactly_if_it_takes_one() {
    let handlers: Vec<(String, bool, bool)> =
        sources().into_iter().flat_map(|source| source.handlers).collect();
    assert!(handlers.iter().any(|(_, takes, _)| *takes), "the search itself is broken");
    let wrong: Vec<&String> =
        handlers.iter().filter(|(_, takes, declares)| takes != declares).map(|(name, ..)| name).collect();
    assert!(wrong.is_empty(), "`params` of these must name IdempotencyKey if they take one: {wrong:?}");
}
