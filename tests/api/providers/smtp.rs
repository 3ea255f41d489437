//! Mail through a mail server that we did not write: aiosmtpd, which stores mails in a folder.

use std::{
    env, fs,
    process::{Command, Stdio},
};

use roadcall::service::settings::{MailProvider, MailTls};
use serde_json::json;

use crate::support::{
    free_ports,
    mail_server::read_mail,
    programs::{Programs, until_open},
    spawn_app_with, until_fits,
};

/// A running aiosmtpd. It ends with the test.
struct Aiosmtpd {
    programs: Programs,
    port: u16,
}

impl Aiosmtpd {
    async fn start() -> Self {
        let mut programs = Programs::in_folder("smtp");
        let [port] = free_ports();
        // Debian's own Python has Debian's packages.
        let python = env::var("ROADCALL_SMTP_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".to_owned());
        let mut python = Command::new(python);
        python.args(["-m", "aiosmtpd", "-n", "-l", &format!("127.0.0.1:{port}")]);
        python.args(["-c", "aiosmtpd.handlers.Mailbox", "mails"]).stdin(Stdio::null());
        programs.start(&mut python, "script/bootstrap smtp installs aiosmtpd");
        until_open("it listens", port).await;
        Self { programs, port }
    }

    /// Waits until this many mails have arrived.
    async fn until_arrived(&self, count: usize) -> Vec<String> {
        let arrived = async || {
            let files = fs::read_dir(self.programs.folder.join("mails/new")).into_iter().flatten().flatten();
            files.map(|file| fs::read_to_string(file.path()).expect("a mail")).collect::<Vec<_>>()
        };
        until_fits(&format!("{count} mails arrive"), arrived, |mails| mails.len() >= count).await
    }
}

#[actix_web::test]
#[ignore = "needs aiosmtpd: script/bootstrap smtp"]
async fn a_receipt_arrives_unchanged_through_a_real_server() {
    let server = Aiosmtpd::start().await;
    let app = spawn_app_with(|settings| {
        let mail = &mut settings.mail;
        mail.provider = MailProvider::Smtp;
        (mail.host, mail.port, mail.tls) = ("127.0.0.1".to_owned(), server.port, MailTls::None);
        mail.from = "रोडकॉल <help@roadcall.example>".to_owned();
        mail.reply_to = "desk@roadcall.example".to_owned();
        settings.check().expect("sound settings");
    })
    .await;
    let scene = app.accepted().await;
    scene.customer.patch("/users/me", json!({"language": "kn", "name": "ಆಶಾ ರಾವ್"})).await.expect(200);
    scene.customer.post("/users/me/email", json!({"email": "asha@example.com"})).await.expect(200);
    let code = read_mail(&server.until_arrived(1).await[0]).shown();
    let code = code.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6).expect("a code");
    scene.customer.post("/users/me/email/confirm", json!({"code": code})).await.expect(200);
    scene.serve().await;
    scene.pay_cash().await;
    let mails = server.until_arrived(2).await;
    let receipt = mails.iter().map(|mail| read_mail(mail)).find(|mail| mail.parts().len() == 3);
    let receipt = receipt.expect("a mail with text, page and file");
    let parts = receipt.parts();
    assert!(parts[0].text().starts_with("ರಸೀದಿ") && parts[0].text().contains("ಆಶಾ ರಾವ್"), "{}", parts[0].text());
    assert!(parts[1].text().contains("<html lang=\"kn\">"), "{}", parts[1].text());
    assert!(parts[2].bytes.starts_with(b"%PDF-") && parts[2].bytes.ends_with(b"%%EOF"), "the file is whole");
    assert_eq!(receipt.header("Reply-To").as_deref(), Some("desk@roadcall.example"));
    let boss = app.super_admin().await;
    let test = boss.post("/super-admin/mail/test", json!({"email": "owner@example.com"})).await.expect(200);
    assert_eq!(test, json!({"outcome": "taken", "reason": null}));
}
