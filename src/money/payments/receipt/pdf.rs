//! A receipt as a PDF: A4, in the Helvetica that every reader has, so that no font has to be embedded. It has the
//! letters of Windows-1252, and the rupee sign is drawn; other characters are printed as `?`, and the document says so.

use pdf_writer::{
    Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr,
    types::{LineCapStyle, SystemInfo, UnicodeCmap},
};

use super::Receipt;

// Lengths are in points, from the lower left corner.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const MARGIN: f32 = 56.0;
const RIGHT: f32 = WIDTH - MARGIN;
const TOP: f32 = HEIGHT - MARGIN;
/// The lower end of the text, above the footer.
const BOTTOM: f32 = MARGIN + 24.0;
/// The left edge of the facts' values.
const VALUES: f32 = MARGIN + 110.0;
/// The space between a text and the amount to its right.
const GAP: f32 = 16.0;

const SIZE: f32 = 10.0;
const LEADING: f32 = 14.0;

const REGULAR: Name = Name(b"F1");
const BOLD: Name = Name(b"F2");
/// The font of the rupee sign.
const SIGN: Name = Name(b"F3");
/// The code of the rupee sign in encoded text, where Windows-1252 has no character, and in its font.
const RUPEE: u8 = 0x81;
/// The width of the rupee sign, the same as a digit's.
const RUPEE_WIDTH: u16 = 556;
const RUPEE_NAME: Name = Name(b"rupee");

const LACKING: &str = "Characters that this document's fonts lack are shown as ?; the page in HTML has them.";

/// Returns the whole file. Streams are not compressed, because a receipt is small.
pub(super) fn document(receipt: &Receipt) -> Vec<u8> {
    let mut sheet = Sheet::default();
    let title = sheet.encoded(receipt.words.receipt);
    sheet.text(BOLD, 18.0, MARGIN, &title);
    sheet.down(2.0 * LEADING);
    for (name, value) in &receipt.facts {
        let (name, value) = (sheet.encoded(name), sheet.encoded(value));
        sheet.paragraph(VALUES, RIGHT, &value, |sheet| sheet.text(REGULAR, SIZE, MARGIN, &name));
    }
    sheet.down(LEADING);
    sheet.rule();
    for line in &receipt.lines {
        let (what, detail, amount) =
            (sheet.encoded(&line.what), sheet.encoded(&line.detail), sheet.encoded(&line.amount));
        sheet.paragraph(MARGIN, RIGHT - width(&amount, SIZE) - GAP, &what, |sheet| {
            sheet.right(REGULAR, &amount);
        });
        if !detail.is_empty() {
            sheet.paragraph(MARGIN + GAP, RIGHT - GAP, &detail, |_| {});
        }
    }
    sheet.rule();
    for (index, (name, amount)) in receipt.sums.iter().enumerate() {
        let font = if index == 0 { BOLD } else { REGULAR };
        let (name, amount) = (sheet.encoded(name), sheet.encoded(amount));
        sheet.room();
        sheet.text(font, SIZE, MARGIN, &name);
        sheet.right(font, &amount);
        sheet.down(LEADING);
    }
    if sheet.lacks {
        sheet.down(LEADING);
        sheet.paragraph(MARGIN, RIGHT, LACKING.as_bytes(), |_| {});
    }
    sheet.finish(&format!("Receipt {}", receipt.number))
}

/// Pages that are filled from the top.
struct Sheet {
    /// The pages begun so far; never empty.
    pages: Vec<Content>,
    /// The base line of the next text.
    y: f32,
    /// Whether a character was replaced.
    lacks: bool,
}

impl Default for Sheet {
    fn default() -> Self {
        Self { pages: vec![Content::new()], y: TOP, lacks: false }
    }
}

impl Sheet {
    fn page(&mut self) -> &mut Content {
        if self.pages.is_empty() {
            self.pages.push(Content::new());
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    fn down(&mut self, by: f32) {
        self.y -= by;
    }

    /// Begins a new page if the next text does not fit on this one.
    fn room(&mut self) {
        if self.y < BOTTOM {
            self.pages.push(Content::new());
            self.y = TOP;
        }
    }

    fn text(&mut self, font: Name, size: f32, x: f32, text: &[u8]) {
        let y = self.y;
        show(self.page(), font, size, (x, y), text);
    }

    /// Writes an amount at the right margin. Digits are as wide in bold.
    fn right(&mut self, font: Name, text: &[u8]) {
        self.text(font, SIZE, RIGHT - width(text, SIZE), text);
    }

    /// Writes text that is broken between `left` and `right`. `beside` writes on its first line, whichever page that
    /// line is on.
    fn paragraph(&mut self, left: f32, right: f32, text: &[u8], beside: impl FnOnce(&mut Self)) {
        self.room();
        beside(self);
        for line in broken(text, right - left) {
            self.room();
            self.text(REGULAR, SIZE, left, &line);
            self.down(LEADING);
        }
    }

    fn rule(&mut self) {
        self.room();
        let y = self.y + LEADING / 2.0;
        self.page().set_line_width(0.5).move_to(MARGIN, y).line_to(RIGHT, y).stroke();
        self.down(LEADING / 2.0);
    }

    fn encoded(&mut self, text: &str) -> Vec<u8> {
        let bytes = text.chars().map(|c| {
            windows_1252(c).unwrap_or_else(|| {
                self.lacks = true;
                b'?'
            })
        });
        bytes.collect()
    }

    fn finish(self, title: &str) -> Vec<u8> {
        let count = self.pages.len();
        let mut next = Ref::new(1);
        let [catalog, tree, info, regular, bold, sign, drawing, meaning] =
            std::array::from_fn(|_| next.bump());
        let kids: Vec<(Ref, Ref)> = (0..count).map(|_| (next.bump(), next.bump())).collect();
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree).lang(TextStr("en"));
        pdf.document_info(info).title(TextStr(title));
        for (id, name) in [(regular, &b"Helvetica"[..]), (bold, b"Helvetica-Bold")] {
            pdf.type1_font(id).base_font(Name(name)).encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        write_rupee_font(&mut pdf, sign, drawing, meaning);
        let all = kids.iter().map(|(page, _)| *page);
        pdf.pages(tree).kids(all).count(i32::try_from(count).unwrap_or(i32::MAX));
        for (index, (mut content, (page_id, content_id))) in self.pages.into_iter().zip(kids).enumerate() {
            let footer = format!("{title} - page {} of {count}", index + 1);
            show(&mut content, REGULAR, 8.0, (MARGIN, MARGIN), footer.as_bytes());
            let mut page = pdf.page(page_id);
            page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(tree).contents(content_id);
            page.resources().fonts().pair(REGULAR, regular).pair(BOLD, bold).pair(SIGN, sign);
            page.finish();
            pdf.stream(content_id, &content.finish());
        }
        pdf.finish()
    }
}

fn show(page: &mut Content, font: Name, size: f32, (x, y): (f32, f32), text: &[u8]) {
    page.begin_text().next_line(x, y);
    for part in text.chunk_by(|one, next| (*one == RUPEE) == (*next == RUPEE)) {
        let font = if part[0] == RUPEE { SIGN } else { font };
        page.set_font(font, size).show(Str(part));
    }
    page.end_text();
}

/// Writes a font whose only sign is ₹, drawn by lines in a square of 1000, with the character that readers get who copy
/// or search the text.
fn write_rupee_font(pdf: &mut Pdf, font: Ref, drawing: Ref, meaning: Ref) {
    let width = f32::from(RUPEE_WIDTH);
    let mut sign = Content::new();
    sign.start_shape_glyph(width, 0.0, 0.0, width, 720.0);
    sign.set_line_width(66.0).set_line_cap(LineCapStyle::ButtCap);
    // The sign has two bars, a bowl from the upper bar through the lower one, and a leg.
    sign.move_to(60.0, 680.0).line_to(500.0, 680.0);
    sign.move_to(60.0, 520.0).line_to(500.0, 520.0);
    sign.move_to(60.0, 680.0).line_to(190.0, 680.0).cubic_to(430.0, 680.0, 430.0, 355.0, 190.0, 355.0);
    sign.line_to(60.0, 355.0);
    sign.move_to(120.0, 355.0).line_to(400.0, 10.0);
    sign.stroke();
    pdf.stream(drawing, &sign.finish());
    let naming = SystemInfo { registry: Str(b"roadcall"), ordering: Str(b"rupee"), supplement: 0 };
    let mut unicode = UnicodeCmap::<u8>::new(Name(b"roadcall-rupee"), naming);
    unicode.pair(RUPEE, '₹');
    pdf.cmap(meaning, &unicode.finish());
    let mut type3 = pdf.type3_font(font);
    type3.bbox(Rect::new(0.0, 0.0, width, 720.0)).matrix([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);
    type3.char_procs().pair(RUPEE_NAME, drawing);
    type3.encoding_custom().differences().consecutive(RUPEE, [RUPEE_NAME]);
    type3.first_char(RUPEE).last_char(RUPEE).widths([width]).to_unicode(meaning);
    type3.resources();
}

/// Breaks text into lines of at most that width in [`SIZE`], at least one. Breaks are between words, and within words
/// that are too long.
fn broken(text: &[u8], limit: f32) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let line = lines.last_mut().filter(|line: &&mut Vec<u8>| !line.is_empty());
        match line {
            Some(line) if width(line, SIZE) + width(b" ", SIZE) + width(word, SIZE) <= limit => {
                line.push(b' ');
                line.extend_from_slice(word);
                continue;
            }
            Some(_) => lines.push(Vec::new()),
            None => {}
        }
        for byte in word {
            let is_full = lines
                .last()
                .is_some_and(|line| !line.is_empty() && width(line, SIZE) + width(&[*byte], SIZE) > limit);
            if is_full {
                lines.push(Vec::new());
            }
            lines.last_mut().into_iter().for_each(|line| line.push(*byte));
        }
    }
    lines
}

/// Returns the width of text in Helvetica, in points.
fn width(text: &[u8], size: f32) -> f32 {
    let thousandths: u16 = text.iter().map(|byte| width_of(*byte)).fold(0, u16::saturating_add);
    f32::from(thousandths) * size / 1000.0
}

/// Returns the width of a character in thousandths of the size, by Adobe's metrics of Helvetica. Beyond ASCII,
/// characters count as wide ones, so that lines are broken early.
fn width_of(byte: u8) -> u16 {
    const ASCII: [u16; 95] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
    ];
    if byte == RUPEE {
        return RUPEE_WIDTH;
    }
    let index = usize::from(byte).checked_sub(32);
    index.and_then(|index| ASCII.get(index)).copied().unwrap_or(1000)
}

/// Returns the character's byte in Windows-1252, the fonts' encoding, or [`RUPEE`].
fn windows_1252(c: char) -> Option<u8> {
    const FROM_0X80: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’',
        '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(c)).ok(),
        '\t' | '\n' | '\r' => Some(b' '),
        '₹' => Some(RUPEE),
        '\0' => None,
        c => {
            let index = FROM_0X80.iter().position(|letter| *letter == c)?;
            u8::try_from(0x80 + index).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_is_broken_between_words_and_within_long_ones() {
        let broken = |text: &str, limit| {
            let lines = broken(text.as_bytes(), limit).into_iter();
            lines.map(|line| String::from_utf8_lossy(&line).into_owned()).collect::<Vec<_>>()
        };
        // A digit is 5.56 wide, a space 2.78.
        assert_eq!(broken("11 22 33", 30.0), ["11 22", "33"]);
        assert_eq!(broken("1 222222222", 30.0), ["1", "22222", "2222"]);
        assert_eq!(broken(" \n ", 30.0), [""]);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_letter_is_lost(
            text in prop::collection::vec(32_u8..=255, 0..200), limit in 11.0_f32..400.0,
        ) {
            let lines = broken(&text, limit);
            for line in &lines {
                prop_assert!(width(line, SIZE) <= limit + 0.01);
            }
            let letters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte != b' ').copied().collect::<Vec<u8>>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
