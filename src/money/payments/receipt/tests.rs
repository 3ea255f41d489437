use std::str;

use proptest::prelude::*;

use super::*;
use crate::money::payments::{dto::Purpose, state::PaymentStatus};

const HOSTILE: &str = "<script>alert('x')</script> & \"more\"";

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a time")
}

fn payment(amount_paise: i64) -> PaymentRow {
    let made = at("2026-03-14T09:10:00Z");
    PaymentRow {
        id: Uuid::from_u128(7),
        customer_id: Uuid::from_u128(1),
        purpose: Purpose::Job,
        job_id: Some(Uuid::from_u128(2)),
        channel: Channel::Online,
        status: PaymentStatus::Captured,
        amount_paise,
        currency: "INR".to_owned(),
        applied_paise: amount_paise,
        refunded_paise: 0,
        gateway: Some("sandbox".to_owned()),
        gateway_order_id: Some("order_1".to_owned()),
        gateway_payment_id: Some("pay_1".to_owned()),
        method: Some("upi".to_owned()),
        failure: None,
        cash_customer_at: None,
        cash_mechanic_at: None,
        is_open: false,
        expires_at: None,
        captured_at: Some(made),
        duplicate_of: None,
        created_at: made,
        updated_at: made,
    }
}

fn item(description: &str, quantity: i32, unit_price_paise: i64) -> ReceiptItem {
    ReceiptItem { description: description.to_owned(), quantity, unit_price_paise }
}

fn of_job(amount_paise: i64, items: Vec<ReceiptItem>) -> Source {
    let job = ReceiptJob {
        mechanic_profile_id: Some(Uuid::from_u128(3)),
        make: "Hero".to_owned(),
        model: "Splendor".to_owned(),
        registration_number: "KA01AB1234".to_owned(),
        category: "Flat tyre".to_owned(),
        pickup_address: "MG Road".to_owned(),
        base_price_paise: 29_900,
        travel_price_paise: 1_005,
        destination_price_paise: 0,
        partner_order: None,
    };
    Source {
        payment: payment(amount_paise),
        captured_at: at("2026-03-14T09:12:04Z"),
        tax_paise: 0,
        customer: Some("Asha Rao".to_owned()),
        mechanic: Some("Ravi".to_owned()),
        subject: Subject::Job { job: Box::new(job), items, shows_pickup: true, prices: ShownPrices::IN_FULL },
    }
}

fn issuer() -> Issuer {
    let zone = "Asia/Kolkata".parse().expect("a zone");
    Issuer { name: "Roadcall Motors".to_owned(), address: "12 MG Road, Bengaluru 560001".to_owned(), zone }
}

fn lines(receipt: &Receipt) -> Vec<(&str, &str, &str)> {
    let lines = receipt.lines.iter();
    lines.map(|line| (line.what.as_str(), line.detail.as_str(), line.amount.as_str())).collect()
}

fn fact<'a>(receipt: &'a Receipt, name: &str) -> Option<&'a str> {
    receipt.facts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

#[test]
fn a_jobs_receipt_adds_up() {
    let items = vec![item("A tube", 2, 12_050), item("For the wait", 1, -5_000)];
    let mut source = of_job(50_005, items);
    (source.tax_paise, source.payment.refunded_paise) = (7_628, 105);
    let receipt = source.receipt(&issuer(), &words::ENGLISH);
    let expected = [
        ("Help on the spot", "", "₹299.00"),
        ("Travel", "", "₹10.05"),
        ("A tube", "2 × ₹120.50", "₹241.00"),
        ("For the wait", "1 × -₹50.00", "-₹50.00"),
    ];
    assert_eq!(lines(&receipt), expected);
    let sums: Vec<&str> = receipt.sums.iter().map(|(_, amount)| amount.as_str()).collect();
    assert_eq!(sums, ["₹500.05", "₹76.28", "₹1.05"]);
    assert_eq!(fact(&receipt, "Paid at"), Some("14 Mar 2026, 2:42 pm UTC+05:30"));
    assert_eq!(fact(&receipt, "Method"), Some("UPI"));
    assert_eq!(fact(&receipt, "Sold by"), Some("Roadcall Motors, 12 MG Road, Bengaluru 560001"));
    assert_eq!(fact(&receipt, "Vehicle"), Some("Hero Splendor, KA01AB1234"));
    assert_eq!(fact(&receipt, "Pickup"), Some("MG Road"));
}

#[test]
fn times_are_written_as_people_read_them() {
    for (tag, time, text) in [
        ("en", "2026-11-24T12:54:59Z", "24 Nov 2026, 6:24 pm UTC+05:30"),
        ("en", "2026-01-01T18:35:00Z", "2 Jan 2026, 12:05 am UTC+05:30"),
        ("en", "2026-12-31T06:30:00Z", "31 Dec 2026, 12:00 pm UTC+05:30"),
        ("hi", "2026-11-24T12:54:59Z", "24 नव॰ 2026, 6:24 pm UTC+05:30"),
        ("kn", "2026-11-24T12:54:59Z", "24 ನವೆಂ 2026, 6:24 ಅಪರಾಹ್ನ UTC+05:30"),
    ] {
        assert_eq!(issuer().minute(at(time), Words::of(tag)), text);
    }
}

#[test]
fn times_of_summer_and_winter_name_their_own_offsets() {
    let issuer = Issuer { zone: "Europe/Berlin".parse().expect("a zone"), ..issuer() };
    for (time, text) in [
        ("2026-10-25T00:30:00Z", "25 Oct 2026, 2:30 am UTC+02:00"),
        ("2026-10-25T01:30:00Z", "25 Oct 2026, 2:30 am UTC+01:00"),
        ("2026-03-29T01:00:00Z", "29 Mar 2026, 3:00 am UTC+02:00"),
        ("2026-12-31T23:00:00Z", "1 Jan 2027, 12:00 am UTC+01:00"),
    ] {
        assert_eq!(issuer.minute(at(time), &words::ENGLISH), text);
    }
}

#[test]
fn methods_are_named_as_people_call_them() {
    for (method, name) in [("upi", "UPI"), ("netbanking", "Net banking"), ("cardless_emi", "cardless_emi")] {
        assert_eq!(words::ENGLISH.method_name(method), name);
    }
}

#[test]
fn the_page_is_in_its_readers_language_and_an_operator_without_a_name_is_no_seller() {
    let source = of_job(30_905, vec![item("ट्यूब", 1, 0)]);
    for (tag, title, total) in
        [("hi-IN", "रसीद", "कुल भुगतान"), ("KN", "ರಸೀದಿ", "ಒಟ್ಟು ಪಾವತಿ"), ("ta", "Receipt", "Total paid")]
    {
        let words = Words::of(tag);
        let page = html::page(&source.receipt(&issuer(), words));
        for text in
            [format!("<html lang=\"{}\">", words.language), format!("<h1>{title}</h1>"), total.to_owned()]
        {
            assert!(page.contains(&text), "{tag}: {text} is not in {page}");
        }
        let pdf = pdf::document(&source.receipt(&issuer(), words));
        assert_eq!(checked(&pdf), 1);
    }
    let nobody = Issuer { name: String::new(), ..issuer() };
    assert_eq!(fact(&source.receipt(&nobody, &words::ENGLISH), "Sold by"), None);
}

#[test]
fn a_resolution_that_lowers_the_price_is_a_line() {
    let receipt = of_job(20_000, Vec::new()).receipt(&issuer(), &words::ENGLISH);
    assert_eq!(lines(&receipt)[2], ("Not part of this payment", "", "-₹109.05"));
    assert_eq!(receipt.sums, [("Total paid", "₹200.00".to_owned())]);
}

#[test]
fn fees_are_listed_by_job_and_a_customer_without_a_name_is_a_customer() {
    let cancelled_at = at("2026-03-13T08:00:00Z");
    let fees =
        [1_u128, 2].map(|id| ReceiptFee { job_id: Uuid::from_u128(id), amount_paise: 5_000, cancelled_at });
    let mut source = of_job(10_000, Vec::new());
    (source.subject, source.customer, source.mechanic) = (Subject::Fees(fees.to_vec()), None, None);
    let receipt = source.receipt(&issuer(), &words::ENGLISH);
    let detail = "Job 00000000-0000-0000-0000-000000000001, cancelled at 13 Mar 2026, 1:30 pm UTC+05:30";
    assert_eq!(lines(&receipt)[0], ("Cancellation fee", detail, "₹50.00"));
    assert_eq!((receipt.lines.len(), fact(&receipt, "Paid by")), (2, Some("Customer")));
    assert_eq!((fact(&receipt, "Mechanic"), fact(&receipt, "Vehicle")), (None, None));
}

#[test]
fn a_removed_plate_leaves_no_comma() {
    let mut source = of_job(30_905, Vec::new());
    if let Subject::Job { job, .. } = &mut source.subject {
        job.registration_number.clear();
    }
    let vehicle = source.receipt(&issuer(), &words::ENGLISH);
    let vehicle = fact(&vehicle, "Vehicle").expect("a vehicle");
    assert!(!vehicle.ends_with([',', ' ']), "{vehicle:?}");
}

#[test]
fn texts_that_people_wrote_never_become_markup() {
    let mut source = of_job(30_905, vec![item(HOSTILE, 1, 0)]);
    (source.customer, source.mechanic) = (Some(HOSTILE.to_owned()), Some(HOSTILE.to_owned()));
    (source.payment.method, source.payment.gateway_payment_id) = (Some(HOSTILE.into()), Some(HOSTILE.into()));
    if let Subject::Job { job, .. } = &mut source.subject {
        for text in [
            &mut job.make,
            &mut job.model,
            &mut job.registration_number,
            &mut job.category,
            &mut job.pickup_address,
        ] {
            *text = HOSTILE.to_owned();
        }
    }
    let page = html::page(&source.receipt(&issuer(), &words::ENGLISH));
    assert!(!page.contains("<script") && !page.contains("'x'") && !page.contains("\"more\""), "{page}");
    assert_eq!(
        page.matches("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;").count(),
        10
    );
}

/// Checks the parts that a reader reads first: the header, the trailer, and that each object is where the table says.
/// Returns the number of pages.
fn checked(file: &[u8]) -> usize {
    assert!(file.starts_with(b"%PDF-1.7\n"));
    let text: String = file.iter().map(|byte| char::from(*byte)).collect();
    let (before, end) = text.rsplit_once("startxref\n").expect("startxref");
    let start: usize = end.strip_suffix("\n%%EOF").expect("%%EOF").trim().parse().expect("an offset");
    // The text is Latin-1 converted to UTF-8, but offsets count the file's bytes.
    let table = str::from_utf8(&file[start..]).expect("the table is ASCII");
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("xref"));
    let count: usize = rows.next().and_then(|row| row.strip_prefix("0 ")).expect("a range").parse().unwrap();
    for (number, row) in rows.take(count).enumerate().skip(1) {
        let offset: usize = row[..10].parse().expect("ten digits");
        let head = format!("{number} 0 obj\n");
        assert!(file[offset..].starts_with(head.as_bytes()), "{number} is not at {offset}");
    }
    assert!(before.contains(&format!("/Size {count}")) && before.contains("/Root 1 0 R"), "{before}");
    let pages = before.split("/Count ").nth(1).and_then(|rest| rest.split_whitespace().next());
    pages.expect("a number of pages").parse().unwrap()
}

fn contains(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_small_receipt_is_one_page_of_pdf() {
    let mut source = of_job(54_905, vec![item("A tube (new)", 2, 12_000)]);
    source.tax_paise = 8_375;
    let file = pdf::document(&source.receipt(&issuer(), &words::ENGLISH));
    assert_eq!(checked(&file), 1);
    for text in
        ["(549.05)", "(83.75)", "(240.00)", "<81>", "A tube (new)", "(Asha Rao)", "(Ravi)", "page 1 of 1"]
    {
        assert!(contains(&file, text), "{text}");
    }
    assert!(!contains(&file, "fonts lack"));
}

#[test]
fn fifty_items_take_more_pages_and_none_is_lost() {
    let long = "A description that goes on ".repeat(18);
    let items = (0..50).map(|number| item(&format!("item-{number:02} {long}"), 1, 100 + number)).collect();
    let file = pdf::document(&of_job(30_905, items).receipt(&issuer(), &words::ENGLISH));
    let pages = checked(&file);
    assert!(pages > 1, "{pages}");
    for number in 0..50 {
        assert!(contains(&file, &format!("(item-{number:02} ")), "{number}");
        assert!(contains(&file, &format!("(1.{number:02})")), "{number}");
    }
    for page in 1..=pages {
        assert!(contains(&file, &format!("page {page} of {pages})")), "{page}");
    }
}

#[test]
fn letters_that_the_fonts_lack_are_question_marks_and_the_document_says_so() {
    let file =
        pdf::document(&of_job(30_905, vec![item("ट्यूब ₹5 – café", 1, 0)]).receipt(&issuer(), &words::ENGLISH));
    checked(&file);
    // "????? " and "5 – café" are in Windows-1252, with the rupee sign of another font between; characters beyond ASCII
    // are written as hex.
    assert!(contains(&file, "(????? )") && contains(&file, "<81>") && contains(&file, "35209620636166E9"));
    assert!(contains(&file, "fonts lack"));
    let page = html::page(&of_job(30_905, vec![item("ट्यूब ₹5", 1, 0)]).receipt(&issuer(), &words::ENGLISH));
    assert!(page.contains("ट्यूब ₹5"), "{page}");
}

proptest! {
    #[test]
    fn any_text_gives_a_whole_file_and_fits_its_lines(what in "\\PC{0,300}", name in "\\PC{0,100}") {
        let mut source = of_job(30_905, vec![item(&what, 1, 0)]);
        source.customer = Some(name);
        let receipt = source.receipt(&issuer(), &words::ENGLISH);
        prop_assert!(checked(&pdf::document(&receipt)) >= 1);
        let page = html::page(&receipt);
        prop_assert_eq!(page.matches("</bdi>").count(), receipt.facts.len() + receipt.lines.len());
    }
}
