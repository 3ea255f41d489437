//! Draws the roster as a picture: a row for each class, a column for each hour of the day, darker where one more mechanic would
//! save more. The SVG is readable in dark and light. Pure.

use std::fmt::Write;

use super::dto::{Roster, RosterClass};
use crate::platform::settings::TimeZone;

/// The maximum number of rows; the others would save less.
const MAX_CLASSES: usize = 24;
const LEFT: f64 = 330.0;
const CELL: f64 = 26.0;
const ROW: f64 = 24.0;
const TOP: f64 = 84.0;
/// The number of characters of a label that fit beside a row.
const LABEL: usize = 44;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#222}.title{font-size:17px;font-weight:600}.sub{font-size:12px;\
fill:#555}.paper{fill:#fff}.none{fill:none;stroke:#bbb;stroke-width:.5}.cell{fill:#b3370a}\
@media(prefers-color-scheme:dark){text{fill:#e8e8e8}.sub{fill:#aab}.paper{fill:#15181c}.none{stroke:#445}.cell{fill:#ff9a5c}}";

pub fn draw(roster: &Roster, zone: &TimeZone) -> String {
    let classes = &roster.classes[..roster.classes.len().min(MAX_CLASSES)];
    let (width, bottom) = (LEFT + 24.0 * CELL + 30.0, TOP + ROW * classes.len() as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{TITLE}\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        height = bottom + 60.0,
    );
    text(&mut svg, "title", 20.0, 32.0, "start", TITLE);
    let since = zone.local(roster.since.0).format("%Y-%m-%d");
    text(&mut svg, "sub", 20.0, 52.0, "start", &format!("recorded prices since {since}, hours of {zone}"));
    let most = classes
        .iter()
        .flat_map(|class| &class.hours)
        .map(|hour| hour.one_more_saves_per_hour)
        .fold(0.0, f64::max);
    for (row, class) in classes.iter().enumerate() {
        draw_class(&mut svg, class, TOP + ROW * row as f64, most);
    }
    for hour in (0..=24).step_by(3) {
        text(&mut svg, "sub", LEFT + CELL * f64::from(hour), bottom + 18.0, "middle", &format!("{hour:02}"));
    }
    let scale = match classes.is_empty() {
        true => "Nothing has been recorded yet: prices are recorded every five minutes while mechanics are online.".to_owned(),
        false => format!("the darkest: {most:.2} jobs an hour; an empty square: none of them was online"),
    };
    text(&mut svg, "sub", 20.0, bottom + 42.0, "start", &scale);
    svg.push_str("</svg>\n");
    svg
}

const TITLE: &str = "What one more mechanic would have saved, by hour of the day";

fn draw_class(svg: &mut String, class: &RosterClass, top: f64, most: f64) {
    text(svg, "", LEFT - 10.0, top + ROW * 0.7, "end", &shortened(&class.skills.label));
    for hour in 0..24 {
        let x = LEFT + CELL * hour as f64;
        let (width, height) = (CELL - 2.0, ROW - 2.0);
        let place = format!("x=\"{x:.0}\" y=\"{top:.0}\" width=\"{width:.0}\" height=\"{height:.0}\"");
        match class.hours.iter().find(|shown| shown.hour == hour) {
            None => writeln!(svg, "<rect class=\"none\" {place}/>").ok(),
            Some(shown) => {
                let saved = shown.one_more_saves_per_hour;
                let share = if most > 0.0 { saved / most } else { 0.0 };
                writeln!(
                    svg,
                    "<rect class=\"cell\" {place} fill-opacity=\"{:.2}\"><title>{hour:02}:00: one more saves {saved:.2} jobs an \
                     hour; {:.1} mechanics, {:.1} calls an hour</title></rect>",
                    0.04 + 0.96 * share,
                    shown.mechanics,
                    shown.calls_per_hour,
                )
                .ok()
            }
        };
    }
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\">{words}</text>"
    )
    .ok();
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LABEL {
        return label.to_owned();
    }
    label.chars().take(LABEL - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::{
        super::dto::{RosterHour, ServedSkills},
        *,
    };

    fn class(label: &str, saved: &[(i64, f64)]) -> RosterClass {
        let hour = |(hour, one_more_saves_per_hour): &(i64, f64)| RosterHour {
            hour: *hour,
            samples: 1,
            looks: 1,
            mechanics: 2.0,
            calls_per_hour: 3.0,
            load: 1.0,
            jobs_lost_per_hour: 1.0,
            one_more_saves_per_hour: *one_more_saves_per_hour,
        };
        RosterClass {
            lat: 12.9,
            lng: 77.5,
            skills: ServedSkills {
                label: label.to_owned(),
                service_category_ids: vec![],
                vehicle_types: vec![],
            },
            one_more_saves_per_day: 1.0,
            advice: String::new(),
            hours: saved.iter().map(hour).collect(),
        }
    }

    fn drawn(roster: Roster) -> String {
        draw(&roster, &"Asia/Kolkata".parse().expect("a zone"))
    }

    fn roster(classes: Vec<RosterClass>) -> Roster {
        Roster {
            since: DateTime::UNIX_EPOCH.into(),
            time_zone: String::new(),
            looks: 2,
            dearest: vec![],
            classes,
        }
    }

    #[test]
    fn the_darkest_hour_is_the_one_in_which_one_more_mechanic_saves_most() {
        let svg = drawn(roster(vec![class("Tow & <winch>", &[(8, 0.5), (18, 2.0)])]));
        assert_eq!(svg.matches("class=\"cell\"").count(), 2);
        assert_eq!(svg.matches("class=\"none\"").count(), 22);
        assert!(
            svg.contains("fill-opacity=\"1.00\"><title>18:00: one more saves 2.00 jobs an hour"),
            "{svg}"
        );
        assert!(svg.contains("fill-opacity=\"0.28\"><title>08:00"), "{svg}");
        assert!(svg.contains("recorded prices since 1970-01-01, hours of Asia/Kolkata"), "{svg}");
        assert!(svg.contains("Tow &amp; &lt;winch&gt;") && !svg.contains("<winch>"), "{svg}");
    }

    #[test]
    fn an_empty_picture_says_so_and_many_classes_are_cut() {
        assert!(drawn(roster(vec![])).contains("Nothing has been recorded yet"));
        let long = "Flat tyre, ".repeat(20);
        let many = drawn(roster((0..60).map(|_| class(&long, &[(1, 0.0)])).collect()));
        assert_eq!(many.matches("class=\"cell\"").count(), MAX_CLASSES);
        assert!(many.contains('…') && !many.contains("NaN"));
    }
}
