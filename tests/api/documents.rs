//! Everything that the documents name exists: files, tests, settings. A document that names missing things misleads the
//! reader who needs it most.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use roadcall::thresholds::*;
use walkdir::WalkDir;

/// Documents whose claims name tests and types: a file with a name in it, or a module below `tests/api` with a test.
const WITH_CLAIMS: [&str; 4] = ["SECURITY.md", "docs/CLUSTER.md", "docs/RUNBOOK.md", "docs/THREATS.md"];
/// Folders of this repository. Paths below anything else are outside of it.
const FOLDERS: [&str; 14] = [
    "actors/",
    "bench/",
    "clients/",
    "config/",
    "crates/",
    "deploy/",
    "docs/",
    "examples/",
    "fuzz/",
    "migrations/",
    "script/",
    "src/",
    "tests/",
    "web/",
];
/// Folders that a build makes.
const BUILT: [&str; 1] = ["web/dist"];
/// Documents that name frames and fields of log lines, which look like settings.
const WITHOUT_SETTINGS: [&str; 2] = ["docs/LOGGING.md", "docs/REALTIME.md"];
/// Frames that other documents name.
const FRAMES: [&str; 2] = ["dispatch.outlook", "server.draining"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Returns the documents that describe the present state. Decisions and the changelog describe the past.
fn documents() -> BTreeMap<String, String> {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"];
    let folder =
        WalkDir::new(root().join("docs")).into_iter().filter_entry(|entry| entry.file_name() != "adr");
    let below = folder.map(|entry| entry.unwrap().into_path());
    let below = below.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let of_crates = crates.map(|entry| entry.unwrap().path().join("README.md")).filter(|path| path.is_file());
    let all = top.iter().map(|name| root().join(name)).chain(below).chain(of_crates);
    all.map(|path| {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    })
    .collect()
}

/// Returns the texts between two backquotes, outside blocks of code.
fn spans(document: &str) -> Vec<&str> {
    let mut is_code = false;
    let prose = document.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    prose.flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns the settings in the reference, by section.
fn settings() -> BTreeMap<String, BTreeSet<String>> {
    let reference = fs::read_to_string(root().join("config/default.toml")).unwrap();
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in reference.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_owned();
            if let Some((outer, inner)) = name.split_once('.') {
                sections.entry(outer.to_owned()).or_default().insert(inner.to_owned());
            }
        }
        // Some keys are only shown in a comment.
        let key = line.trim_start_matches("# ").split_once(" = ").map(|(key, _)| key);
        if let Some(key) = key.filter(|key| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')) {
            sections.entry(section.clone()).or_default().insert(key.to_owned());
        }
    }
    sections
}

/// Returns whether the source has an item of this name.
fn declares(source: &str, name: &str) -> bool {
    let kinds = ["fn", "struct", "enum", "trait", "const", "static", "type", "mod", "function"];
    kinds.iter().any(|kind| {
        source.match_indices(&format!("{kind} {name}")).any(|(at, found)| {
            let before = source[..at].chars().next_back();
            let after = source[at + found.len()..].chars().next();
            let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            !is_word(before) && !is_word(after)
        })
    })
}

/// Returns the fault of `place::name`, if any.
fn fault_of_claim(span: &str) -> Option<String> {
    let (place, name) = span.rsplit_once("::")?;
    let files = match place.contains('/') {
        true => vec![place.to_owned()],
        false => {
            let module = format!("tests/api/{}", place.replace("::", "/"));
            vec![format!("{module}.rs"), format!("{module}/mod.rs")]
        }
    };
    let Some(file) = files.iter().map(|file| root().join(file)).find(|file| file.is_file()) else {
        return Some(format!("{span}: there is no such file"));
    };
    let is_there = name.is_empty() || declares(&fs::read_to_string(file).unwrap(), name);
    (!is_there).then(|| format!("{span}: its file has no such name"))
}

/// Returns the fault of a path of this repository, if the span is one.
fn fault_of_path(span: &str) -> Option<String> {
    let is_path = FOLDERS.iter().any(|folder| span.starts_with(folder))
        && !span.contains([' ', '<', '{', '…', '*'])
        && !BUILT.contains(&span);
    (is_path && !root().join(span).exists()).then(|| format!("{span}: there is no such file"))
}

/// Returns the fault of `section.key`, if the span is a setting.
fn fault_of_setting(span: &str, settings: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let (section, key) =
        span.split_once('.').filter(|(section, key)| !section.is_empty() && !key.is_empty())?;
    let keys = settings.get(section)?;
    let is_setting = key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && key != "rs"
        && !FRAMES.contains(&span);
    (is_setting && !keys.contains(key)).then(|| format!("{span}: there is no such setting"))
}

#[test]
fn everything_that_documents_name_exists() {
    let settings = settings();
    let mut faults = Vec::new();
    for (name, document) in documents() {
        for span in spans(&document) {
            let has_claims = WITH_CLAIMS.contains(&&*name);
            let fault = match has_claims && span.contains("::") {
                true => fault_of_claim(span),
                false => fault_of_path(span).or_else(|| {
                    let has_settings = !WITHOUT_SETTINGS.contains(&&*name);
                    has_settings.then(|| fault_of_setting(span, &settings)).flatten()
                }),
            };
            faults.extend(fault.map(|fault| format!("{name}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the anchor of a heading, as forges make it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// Returns the anchors in a document that links can lead to.
fn anchors(document: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let prose = document.lines().filter(move |line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    prose
        .filter_map(|line| line.strip_prefix('#'))
        .map(|rest| anchor(rest.trim_start_matches('#').trim()))
        .collect()
}

/// Returns the targets of a document's links within this repository.
fn links(document: &str) -> Vec<&str> {
    let targets =
        document.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace)).collect()
}

/// `house.rs` checks that the files exist.
#[test]
fn links_lead_to_sections_that_exist() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, document) in documents() {
        let folder = root().join(&name).parent().unwrap().to_owned();
        for (link, path, section) in links(&document)
            .into_iter()
            .filter_map(|link| link.split_once('#').map(|(path, to)| (link, path, to)))
        {
            count += 1;
            let target = if path.is_empty() { root().join(&name) } else { folder.join(path) };
            let there = fs::read_to_string(&target).unwrap_or_else(|_| panic!("{name}: {link}"));
            if !anchors(&there).contains(section) {
                faults.push(format!("{name}: {link} has no such section"));
            }
        }
    }
    assert!(count > 50, "only {count} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(anchor("What is promised, when it's `off`?"), "what-is-promised-when-its-off");
    assert_eq!(links("[a](b.md#c) [d](https://e) [f](#g)"), ["b.md#c", "#g"]);
}

/// Protects operators who are woken by an alert and read its section on the server.
#[test]
fn the_package_has_the_documents_that_alerts_and_pages_name() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let (package, archive) = (read("Cargo.toml"), read("script/package"));
    let index = links(&read("docs/OPERATIONS.md")).into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    let mut named: BTreeSet<String> =
        index.iter().filter_map(|link| link.split('#').next()).map(|path| format!("docs/{path}")).collect();
    let said =
        [read("deploy/alerts.yml"), read("deploy/grafana/dashboard"), read("deploy/debian/roadcall.service")];
    for text in &said {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"/.-_".contains(c));
        named.extend(
            words.filter(|word| word.starts_with("docs/") && word.ends_with(".md")).map(str::to_owned),
        );
    }
    assert!(named.contains("docs/RUNBOOK.md") && named.contains("docs/operations/backups.md"), "{named:?}");
    assert!(package.contains("/dashboard.json\"") && archive.contains("/dashboard.json\" "), "the dashboard");
    for name in named {
        let (in_package, in_archive) = match name.strip_prefix("docs/operations/") {
            Some(_) => ("\"docs/operations/*.md\"".to_owned(), "docs/operations/*.md".to_owned()),
            None => {
                (format!("\"{name}\""), name.trim_start_matches("docs/").trim_end_matches(".md").to_owned())
            }
        };
        assert!(package.contains(&in_package), "the package has no {name}");
        assert!(archive.contains(&in_archive), "the archive has no {name}");
    }
}

/// Returns the expression of each alert.
fn alerts() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("deploy/alerts.yml")).unwrap();
    let alerts = text.split("- alert: ").skip(1).map(|rule| {
        let (name, rest) = rule.split_once('\n').unwrap();
        let expression = rest.split_once("expr:").unwrap().1.split("\n        for:").next().unwrap();
        (name.to_owned(), expression.to_owned())
    });
    alerts.collect()
}

/// Returns the numbers other than 0 that an expression compares with.
fn compared(expression: &str) -> Vec<f64> {
    let sides = expression.split(['<', '>']).skip(1);
    let numbers = sides.filter_map(|side| {
        let side = side.trim_start_matches('=').trim_start();
        let end = side.find(|c: char| !c.is_ascii_digit() && c != '.' && c != 'e').unwrap_or(side.len());
        side[..end].parse::<f64>().ok()
    });
    numbers.filter(|number| *number != 0.0).collect()
}

#[test]
fn alerts_compare_with_the_thresholds_of_a_healthy_server() {
    let expected: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::from([
        ("RoadcallServerErrors", vec![FAILED_REQUESTS_SHARE.fail, FAILED_REQUESTS.fail]),
        ("RoadcallSlow", vec![ANSWER_TIME.warn, ANSWERS.warn]),
        ("RoadcallRefusesSockets", vec![REFUSED_SOCKETS.warn]),
        ("RoadcallEngineSlow", vec![ENGINE_LAG.fail]),
        ("RoadcallSocketsLost", vec![SOCKETS_LEFT.fail, SOCKETS.fail]),
        ("RoadcallDiskFull", vec![FREE_DISK_SHARE.fail, FREE_DISK.fail]),
        ("RoadcallPushesFail", vec![FAILED_PUSHES_SHARE.warn, FAILED_PUSHES.warn]),
        ("RoadcallTextsFail", vec![FAILED_TEXTS_SHARE.fail, FAILED_TEXTS.fail]),
        ("RoadcallMailsFail", vec![FAILED_MAILS_SHARE.warn, FAILED_MAILS.warn]),
        ("RoadcallPlacesFail", vec![FAILED_PLACES_SHARE.warn, FAILED_PLACES.warn]),
        ("RoadcallWebhooksStuck", vec![WEBHOOK_AGE.fail]),
        ("RoadcallPayoutsStuck", vec![WITHDRAWAL_AGE.warn]),
        ("RoadcallCallbacksWait", vec![CALLBACK_AGE.warn]),
        ("RoadcallBackupOld", vec![BACKUP_AGE.fail]),
        ("RoadcallIdleBesideHeld", vec![IDLE_BESIDE_HELD.warn]),
        ("RoadcallHoldsWasted", vec![HOLDS_WASTED.warn, HOLDS.warn]),
        ("RoadcallLoadOverrated", vec![LOAD_RATIO.warn]),
        ("RoadcallCategoryStarves", vec![STARVING.warn]),
        ("RoadcallAnnouncementsMissed", vec![MISSED_ANNOUNCEMENTS.warn]),
        // More than one server leads.
        ("RoadcallTwoLeaders", vec![Some(1.0)]),
    ]);
    let alerts = alerts();
    for name in expected.keys() {
        assert!(alerts.contains_key(*name), "{name} is no alert");
    }
    for (name, expression) in &alerts {
        let numbers: Vec<Option<f64>> = compared(expression).into_iter().map(Some).collect();
        assert_eq!(numbers, expected.get(name.as_str()).cloned().unwrap_or_default(), "{name}");
    }
    let days = DISK_LASTS.warn.unwrap() / 86_400.0;
    let filling = &alerts["RoadcallDiskFilling"];
    assert!(filling.contains(&format!("{days} * 86400")), "{filling}");
}

/// Returns a threshold's value as operators read it.
fn shown(unit: Unit, value: f64) -> String {
    let counted = |count: f64, what: &str| format!("{count} {what}{}", if count == 1.0 { "" } else { "s" });
    match unit {
        Unit::Seconds if value < 1.0 => format!("{} ms", value * 1_000.0),
        Unit::Seconds if value < 60.0 => counted(value, "second"),
        Unit::Seconds if value < 3_600.0 => counted(value / 60.0, "minute"),
        Unit::Seconds if value < 86_400.0 => counted(value / 3_600.0, "hour"),
        Unit::Seconds => counted(value / 86_400.0, "day"),
        Unit::Share => format!("{} %", value * 100.0),
        Unit::Bytes => format!("{} GB", value / 1e9),
        Unit::Count => value.to_string(),
        Unit::Times => format!("{value} times"),
    }
}

#[test]
fn operators_read_every_threshold_of_a_healthy_server() {
    let row = |threshold: &Threshold| {
        let sign = match threshold.crossing {
            Crossing::Above => ">",
            Crossing::AtLeast => "≥",
            Crossing::Below => "<",
            Crossing::AtMost => "≤",
        };
        let cell = |value: Option<f64>| {
            value.map_or("–".to_owned(), |value| format!("{sign} {}", shown(threshold.unit, value)))
        };
        let (warn, fail) = (cell(threshold.warn), cell(threshold.fail));
        format!("| {} | {warn} | {fail} | {} |", threshold.name, threshold.why.trim())
    };
    let table = ALL.iter().map(row).collect::<Vec<_>>().join("\n");
    let page = fs::read_to_string(root().join("docs/operations/troubleshooting.md")).unwrap();
    assert!(page.contains(&table), "docs/operations/troubleshooting.md must have these rows:\n{table}");
}

#[test]
fn the_dashboard_is_red_past_the_thresholds_of_a_healthy_server() {
    let dashboard = fs::read_to_string(root().join("deploy/grafana/dashboard")).unwrap();
    for (title, threshold) in [("Errors", FAILED_REQUESTS_SHARE), ("Engine lag", ENGINE_LAG)] {
        let panel =
            dashboard.split_once(&format!("\"{title}\",")).unwrap().1.split("number(").next().unwrap();
        let red = format!("(\"red\", {})", threshold.fail.unwrap());
        assert!(panel.contains(&red), "{title} has no {red}");
    }
}

/// Returns the lines of a page's blocks that show results of the load generator.
fn results(page: &str) -> Vec<&str> {
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Protects customers who buy a machine by this page: they rely on measurements, not on somebody's memory.
#[test]
fn sizes_are_computed_from_results_of_the_load_generator() {
    let page = fs::read_to_string(root().join("docs/operations/sizing.md")).unwrap();
    let bench = fs::read_to_string(root().join("bench/README.md")).unwrap();
    let (quoted, measured) = (results(&page), results(&bench));
    assert!(quoted.len() >= 10, "{quoted:?}");
    let unknown: Vec<&&str> = quoted.iter().filter(|line| !measured.contains(line)).collect();
    assert!(unknown.is_empty(), "bench/README.md has no such results: {unknown:#?}");
    let figure = |name: &str| {
        let line = quoted.iter().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        line.split_whitespace().next_back().and_then(|last| last.parse::<f64>().ok()).unwrap()
    };
    let transitions = figure("transitions a second") / figure("jobs a second");
    let cpu_ms = transitions * (figure("server, CPU ms") + figure("postgres, CPU ms"));
    assert!(page.contains(&format!("which is {cpu_ms:.1} ms a job")), "{cpu_ms}");
    let position_us = figure("roadcall       10000");
    assert!(page.contains(&format!("× ({position_us} µs + 8.9 µs)")), "{position_us}");
}

#[test]
fn missing_items_are_noticed() {
    let settings = settings();
    assert!(fault_of_claim("documents::missing_items_are_noticed").is_none());
    assert!(fault_of_claim("crates/http/src/owned.rs::Owned").is_none());
    for gone in
        ["documents::what_is_gone", "nowhere::at_all", "crates/http/src/owned.rs::Owne", "src/none.rs::Owned"]
    {
        assert!(fault_of_claim(gone).is_some(), "{gone}");
    }
    assert!(fault_of_path("crates/http/src/owned.rs").is_none());
    assert!(fault_of_path("crates/http/src/gone.rs").is_some());
    assert!(fault_of_setting("limits.per_user_per_minute", &settings).is_none());
    assert!(fault_of_setting("limits.per_planet", &settings).is_some());
    assert_eq!(spans("a `b` c\n```\n`d`\n```\n`e`"), ["b", "e"]);
}

/// Checks that the table of OWASP is complete, and that each item of it names its guard, its tests and its gaps.
#[test]
fn every_item_of_owasp_has_its_guard_its_tests_and_its_gaps() {
    let threats = fs::read_to_string(root().join("docs/THREATS.md")).unwrap();
    for number in 1..=10 {
        let head = format!("\n### API{number}: ");
        let item = threats.split_once(&head).unwrap_or_else(|| panic!("{head} is missing")).1;
        let item = item.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
        for part in ["- **Guard**", "- **Tests**", "- **Gap"] {
            assert!(item.contains(part), "API{number} has no {part}");
        }
        let tests = item.split("- **Tests**").nth(1).unwrap().split("- **Gap").next().unwrap();
        assert!(spans(tests).iter().any(|span| span.contains("::")), "API{number} names no test");
    }
}

/// Returns the commands in a document's blocks of code: `roadcall keys check` by its words, each with its options. An installed
/// server has them as `roadcallctl`.
fn commands(document: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let blocks: String = document.split("```").skip(1).step_by(2).collect();
    let lines = blocks.replace("\\\n", " ");
    let lines = lines.lines().map(|line| line.split(" #").next().unwrap_or_default());
    lines
        .filter_map(|line| {
            let line = line.trim();
            line.strip_prefix("roadcall ").or_else(|| line.strip_prefix("roadcallctl "))
        })
        .map(|line| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let is_option = |word: &&String| word.starts_with("--");
            let command = words.iter().take_while(|word| !is_option(word)).cloned().collect();
            (command, words.iter().filter(is_option).cloned().collect())
        })
        .collect()
}

/// Panics if the program does not know one of these commands, or an option of it.
async fn assert_are_commands(commands: Vec<(Vec<String>, Vec<String>)>) {
    for (command, options) in commands {
        let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_roadcall"));
        let output = program.args(&command).arg("--help").output().await.unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "roadcall {}", command.join(" "));
        for option in options {
            assert!(help.contains(&option), "roadcall {} has no {option}", command.join(" "));
        }
    }
}

/// Checks that an operator who follows the page to the letter gets a working server.
#[tokio::test]
async fn the_first_day_uses_existing_commands_and_invites_people_to_desks() {
    let page = fs::read_to_string(root().join("docs/FIRST-DAY.md")).unwrap();
    let commands = commands(&page);
    assert!(commands.len() >= 5, "{commands:?}");
    assert_are_commands(commands).await;
    // A dotted key after a section would be a key of that section; the file that setup writes has no sections.
    let set_up = page.find("roadcall setup --out").expect("the settings are written by roadcall setup");
    let appended = page.find(">>roadcall.toml").expect("a setting is added");
    assert!(set_up < appended && !page.contains("\n["), "settings are added to a file with sections");
    for desk in ["dispatch", "money", "people", "settings"] {
        assert!(page.contains(&format!("Admin, *{desk}* |")), "nobody is invited to the desk {desk}");
    }
    let made = page.find("install -d -m 700 -o roadcall").expect("the folder of backups is made");
    let used = page.find("backup.every_hours = 24").expect("backups are made");
    assert!(made < used, "backups are made into a folder that there is not");
    for step in page.split("\n## ").skip(1).filter(|step| !step.starts_with("5.")) {
        let title = step.lines().next().unwrap();
        assert!(step.contains("You should now see"), "{title}: nobody knows whether it worked");
    }
}

/// Protects readers who need this page: they have no time for a command that does not exist.
#[tokio::test]
async fn every_command_and_route_of_the_page_about_breaches_exists() {
    let page = fs::read_to_string(root().join("docs/BREACH.md")).unwrap();
    let mut commands = commands(&page);
    assert!(commands.len() >= 5, "{commands:?}");
    commands.push((vec!["admin".to_owned(), "create".to_owned()], Vec::new()));
    assert_are_commands(commands).await;
    let operations = crate::support::document::operations();
    let methods = ["GET", "POST", "PUT", "DELETE"];
    let routes: Vec<&str> = spans(&page)
        .into_iter()
        .filter(|span| span.split_once(' ').is_some_and(|(method, _)| methods.contains(&method)))
        .collect();
    assert!(routes.len() >= 6, "{routes:?}");
    for route in routes {
        let is_there = operations.iter().any(|(path, method, _)| format!("{method} {path}") == route);
        assert!(is_there, "{route}");
    }
}
