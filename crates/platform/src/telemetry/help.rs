//! The descriptions of all metrics for the `# HELP` lines of `/metrics`, taken from the tables of the documents, so that each
//! metric is explained once.

/// The documents, and the column of their tables that explains the metric.
const TABLES: [(&str, usize); 2] =
    [(include_str!("../../../../docs/LOGGING.md"), 2), (include_str!("../../../../docs/CLUSTER.md"), 1)];

/// Returns the name of each metric with its text.
pub(super) fn texts() -> impl Iterator<Item = (&'static str, String)> {
    let rows =
        TABLES.into_iter().flat_map(|(document, column)| document.lines().map(move |line| (line, column)));
    rows.filter(|(line, _)| line.starts_with("| `roadcall_")).flat_map(|(line, column)| {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let text = cells.get(column).map(|cell| plain(cell)).unwrap_or_default();
        let names = cells[0].split(',').map(|name| name.trim().trim_matches('`'));
        names.map(move |name| (name, text.clone())).collect::<Vec<_>>()
    })
}

/// Returns the words of Markdown, without where its links lead.
fn plain(markdown: &str) -> String {
    let (mut words, mut rest) = (String::new(), markdown);
    while let Some((before, link)) = rest.split_once("](") {
        words.push_str(before);
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    words.push_str(rest);
    words.replace(['`', '['], "")
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use walkdir::WalkDir;

    use super::{
        super::{OFFER_SHOWN, WRITTEN_CHANGES},
        *,
    };

    #[test]
    fn every_metric_of_the_source_has_a_text() {
        let known: BTreeMap<&str, String> = texts().collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["src", "actors/src", "crates"].into_iter();
        let entries = folders.flat_map(|folder| WalkDir::new(root.join(folder)));
        let files = entries.map(|entry| entry.expect("readable").into_path());
        let mut named = vec![OFFER_SHOWN.to_owned(), WRITTEN_CHANGES.to_owned()];
        for file in files.filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
            let source = fs::read_to_string(&file).expect("text");
            for call in ["counter!(", "gauge!(", "histogram!("] {
                let after = source.split(call).skip(1).map(str::trim_start);
                let names = after.filter_map(|rest| rest.strip_prefix('"')?.split('"').next());
                named.extend(names.filter(|name| name.starts_with("roadcall_")).map(str::to_owned));
            }
        }
        assert!(named.len() > 60, "the search itself is broken: {named:?}");
        for name in named {
            let text = known.get(name.as_str()).map_or("", String::as_str);
            assert!(text.len() > 5, "{name} has no row in docs/LOGGING.md or docs/CLUSTER.md: {text:?}");
        }
    }

    #[test]
    fn a_text_has_no_markdown() {
        let known: BTreeMap<&str, String> = texts().collect();
        assert_eq!(known["roadcall_ws_watched_jobs"], "open sockets, jobs that somebody watches");
        assert_eq!(known["roadcall_cluster_leading"], "1 on the server that leads");
        assert!(known["roadcall_admitted"].ends_with("see Overload"), "{}", known["roadcall_admitted"]);
    }
}
