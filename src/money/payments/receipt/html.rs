//! A receipt as a page that loads nothing and runs nothing.

use super::{Line, Receipt};

/// The style sheet, which goes into the page unchanged: [`POLICY`] has its hash.
const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;margin:2rem auto;max-width:44rem;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:0 0 2rem}
dt,small{color:#595959}
dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{padding:.4rem 0;border-bottom:1px solid #d9d9d9;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th+th,td+td{padding-left:1rem;text-align:right;white-space:nowrap}
small{display:block}
tfoot th,tfoot td{font-weight:400;border:0}
tfoot tr:first-child>*{font-weight:700}
";

/// The policy of the page: nothing may be loaded, run, framed or sent; this one style sheet, by its hash, may be
/// applied.
pub(super) const POLICY: &str = "default-src 'none'; \
    style-src 'sha256-5IAnJhsYmGa7o4un6Fur3OFlJGICapdrMjfXiKTyOqw='; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

pub(super) fn page(receipt: &Receipt) -> String {
    let words = receipt.words;
    let (title, what, amount) = (words.receipt, words.what, words.amount);
    let facts: String = receipt.facts.iter().map(|(name, value)| fact(name, value)).collect();
    let lines: String = receipt.lines.iter().map(line).collect();
    let sums: String = receipt.sums.iter().map(|(name, amount)| sum(name, amount)).collect();
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <title>{title} {}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<dl>\n{facts}</dl>\n\
        <table>\n<thead>\n<tr><th scope=\"col\">{what}</th><th scope=\"col\">{amount}</th></tr>\n</thead>\n\
        <tbody>\n{lines}</tbody>\n<tfoot>\n{sums}</tfoot>\n</table>\n</body>\n</html>\n",
        words.language, receipt.number,
    )
}

// Texts that people wrote are set apart (bdi), so that their direction can't turn the words and numbers around them.

fn fact(name: &str, value: &str) -> String {
    format!("<dt>{name}</dt><dd><bdi>{}</bdi></dd>\n", escaped(value))
}

fn line(line: &Line) -> String {
    let detail = match line.detail.as_str() {
        "" => String::new(),
        detail => format!("<small>{}</small>", escaped(detail)),
    };
    let (what, amount) = (escaped(&line.what), escaped(&line.amount));
    format!("<tr><td><bdi>{what}</bdi>{detail}</td><td>{amount}</td></tr>\n")
}

fn sum(name: &str, amount: &str) -> String {
    format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escaped(amount))
}

/// Escapes text for an element or an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_names_the_style_sheet() {
        let hash = STANDARD.encode(Sha256::digest(STYLE));
        assert!(POLICY.contains(&format!("style-src 'sha256-{hash}';")), "it is sha256-{hash}");
    }

    #[test]
    fn texts_that_people_wrote_are_escaped() {
        assert_eq!(
            escaped("<a href='x' title=\"y\">&</a>"),
            "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;&lt;/a&gt;"
        );
    }
}
