//! The borders between the areas of `src/`, checked by reading the source. `queries.rs` checks where SQL may be.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, Macro, UseTree,
    spanned::Spanned,
    visit::{self, Visit},
};
use walkdir::WalkDir;

use crate::layers::area;

/// Where types may become text or come from it: the wire of an area, of the socket, of what all areas share, of tokens,
/// and of files that operators write. `demo/` is a client of the interface and has a client's types. A job's log stores
/// its row as JSON (`jobs/queries.rs`), and a decision of the dispatcher stores the mechanics that it considered.
const SHAPES: &[&str] = &[
    "accounts/auth/tokens.rs",
    "platform/db/mod.rs",
    "platform/bus/envelope.rs",
    // What servers tell each other.
    "cluster/messages.rs",
    "dispatch/queries.rs",
    "dto.rs",
    "jobs/dto/",
    "platform/error.rs",
    "jobs/line_items/queries.rs",
    "jobs/queries.rs",
    "providers/",
    "platform/settings/",
    "settings.rs",
    "http/",
    "ws/protocol/",
    "openapi/",
];

/// Where JSON is assembled by hand: the document, the job's log, tokens, a client's bodies, and what `admin::audit`
/// stores.
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
    "accounts/auth/idp/audited.rs",
    "accounts/auth/renumbering/audited.rs",
    "accounts/auth/otp/testing.rs",
    "accounts/emails/testing.rs",
    "notifications/testing.rs",
    "places/requests/audited.rs",
    "accounts/invites/audited.rs",
    "accounts/notices/audited.rs",
    "edge/reads.rs",
    "fuzzing/",
    "accounts/users/audited.rs",
    "money/wallet/settlements/actions.rs",
    "money/wallet/upi/actions.rs",
    "money/wallet/withdrawals/actions.rs",
];

/// Where a future may be dropped before it has ended: a wait for a time, an event, another service or a client's bytes,
/// a read, or the stop of the whole service. Everywhere else what has begun ends, so that nobody misses what was
/// committed.
const MAY_DROP: &[&str] = &[
    "app.rs",
    "app/leading.rs",
    "dispatch/recorder.rs",
    // Waits for what it goes on loading.
    "bridge/recovery.rs",
    "bridge/trail.rs",
    // Waits for messages of other servers.
    "platform/bus/",
    // Waits for spans, and at a stop for the collector.
    "platform/traces/queue.rs",
    "cluster/confirming.rs",
    "cluster/serving.rs",
    "cluster/pings.rs",
    // Reads the database's clock.
    "cluster/reporting.rs",
    // A complaint that is not written in time is made again at once.
    "cluster/unheard.rs",
    "cli.rs",
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
    // A wait for a task that continues.
    "money/payments/actions/webhooks.rs",
    "providers/",
    "sandbox/deliveries.rs",
    "uploads/content.rs",
    "http/body.rs",
    "platform/worker.rs",
    "workers/housekeeping.rs",
    "ws/catch_up.rs",
    "ws/listener.rs",
    "ws/hub_tests.rs",
    // A wait for a turn, after which there is nothing left to do.
    "ws/openings.rs",
];

/// Whether one of the attributes is `#[name(… word …)]`.
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

/// What one file of `src/` names, without its tests.
#[derive(Default)]
struct Source {
    /// Below `src/`, e.g. `offers/dto.rs`.
    file: String,
    /// With their lines.
    paths: Vec<(String, usize)>,
    shapes: Vec<usize>,
    hand_made: Vec<usize>,
    /// Public types at the file's top level, including those of `text_enum!`.
    types: Vec<String>,
    /// Sent past a mailbox's bound.
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

/// The name of a public type that an item declares.
fn public_type(item: &syn::Item) -> Option<String> {
    let (visibility, name) = match item {
        syn::Item::Struct(item) => (&item.vis, &item.ident),
        syn::Item::Enum(item) => (&item.vis, &item.ident),
        syn::Item::Trait(item) => (&item.vis, &item.ident),
        syn::Item::Type(item) => (&item.vis, &item.ident),
        // `text_enum! { /// what it is\n Name { … } }`
        syn::Item::Macro(item) if item.mac.path.is_ident("text_enum") => {
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn files_below(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = WalkDir::new(root().join(folder)).sort_by_file_name().into_iter();
    let files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().into_path()).collect();
    files.into_iter().filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

fn sources() -> Vec<Source> {
    let below = root().join("src");
    let of = |path: PathBuf| {
        let file = path.strip_prefix(&below).unwrap().display().to_string();
        read(file, &fs::read_to_string(path).unwrap())
    };
    let sources: Vec<Source> = files_below("src", "rs").into_iter().map(of).collect();
    assert!(sources.iter().any(|source| source.file == "offers/dto.rs"), "the search itself is broken");
    sources
}

/// `dto.rs` names such a file in any folder, `web/` everything below that one.
fn stands_in(file: &str, places: &[&str]) -> bool {
    places.iter().any(|place| match place.ends_with('/') {
        true => file.starts_with(place),
        false => file == *place || file.ends_with(&format!("/{place}")),
    })
}

/// The paths that reach into the file `inner` of another area.
fn trespasses(source: &Source, inner: &str) -> Vec<String> {
    let parts = |text: &str, by: &str| text.split(by).map(str::to_owned).collect::<Vec<_>>();
    let own = area(&parts(source.file.trim_end_matches(".rs"), "/"));
    let foreign = source.paths.iter().filter(|(path, _)| {
        let path = parts(path, "::");
        path[0] == "crate" && area(&path[1..]) != own && path.iter().any(|part| part == inner)
    });
    foreign.map(|(path, line)| format!("{}:{line}: {path}", source.file)).collect()
}

#[test]
fn no_area_looks_into_anothers_handlers_or_wire_types() {
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
fn json_has_its_places() {
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
fn every_list_that_is_read_has_a_bound() {
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
fn nothing_is_sent_past_a_mailboxs_bound() {
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
fn the_database_is_reached_through_db_alone() {
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
fn whatever_is_begun_ends() {
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
fn no_two_public_types_have_one_name() {
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
fn every_link_between_the_documents_leads_somewhere() {
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

#[test]
fn a_trespass_is_noticed_however_it_is_written() {
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
