//! The mail that brings an invitation.

use roadcall_platform::error::ApiResult;
use roadcall_providers::mails::{DueMail, Letter, MailLanguage};
use uuid::Uuid;

use super::{
    queries,
    state::{AdminRole, InviteStatus, hash},
};
use crate::auth::{AuthContext, TokenKind, TokenMaker};

/// Returns the token of an invitation. It is derived from the invitation's id with the service's key, so that the
/// mail can be written later.
pub(super) fn token_of(tokens: &TokenMaker, id: Uuid) -> String {
    tokens.make_for(TokenKind::Invitation, id)
}

/// Returns the page that accepts an invitation.
pub(super) fn link(public_url: &str, token: &str) -> String {
    format!("{}/console/invite#token={token}", public_url.trim_end_matches('/'))
}

/// Writes the mail in the inviter's language; `None` if nobody can accept the invitation any longer.
pub async fn letter(context: &AuthContext, mail: &DueMail) -> ApiResult<Option<Letter>> {
    // The service's secret may have been replaced since; without the earlier secret there is no link to send.
    let tokens = context.auth.tokens_made().made_for(TokenKind::Invitation, mail.about_id);
    let mut found = None;
    for token in tokens {
        if let Some(row) = queries::of_token(&context.db, &hash(&token)).await? {
            found = Some((token, row));
            break;
        }
    }
    let Some((token, row)) = found else { return Ok(None) };
    if row.status(context.clock.now()) != InviteStatus::Pending || row.email != mail.address {
        return Ok(None);
    }
    // The command line shows its link and sends no mail.
    let Some(inviter) = row.invited_by else { return Ok(None) };
    let Some(inviter) = queries::inviter(&context.db, inviter).await? else { return Ok(None) };
    let language = MailLanguage::of(&inviter.language);
    let settings = &context.settings;
    let link = link(&settings.server.public_url, &token);
    let name = match settings.operator.name.as_str() {
        "" => settings.operator.brand.as_str(),
        name => name,
    };
    let until = settings.operator.time_zone.local(row.expires_at).format("%Y-%m-%d %H:%M");
    let inviter = inviter.name.as_deref().map(one_line).filter(|name| !name.is_empty());
    let role = match row.role {
        AdminRole::Admin => language.choose("admin", "एडमिन", "ಅಡ್ಮಿನ್"),
        AdminRole::SuperAdmin => language.choose("super admin", "सुपर एडमिन", "ಸೂಪರ್ ಅಡ್ಮಿನ್"),
    };
    let who = inviter
        .as_deref()
        .unwrap_or_else(|| language.choose("A super admin", "एक सुपर एडमिन", "ಒಬ್ಬ ಸೂಪರ್ ಅಡ್ಮಿನ್"));
    let text = language.choose(
        format!(
            "{who} invites you to work for {name} as {role}.\n\nAccept the invitation here, until {until}:\n{link}\n\n\
            The link is for you alone. If you did not expect it, ignore this mail."
        ),
        format!(
            "{who} आपको {name} में {role} के रूप में काम करने के लिए बुला रहे हैं।\n\nनिमंत्रण यहाँ स्वीकार करें, {until} तक:\n{link}\n\n\
            यह लिंक सिर्फ़ आपके लिए है। अगर आपको इसकी उम्मीद नहीं थी, तो इस मेल को अनदेखा करें।"
        ),
        format!(
            "{who} ನಿಮ್ಮನ್ನು {name} ಗೆ {role} ಆಗಿ ಆಹ್ವಾನಿಸುತ್ತಿದ್ದಾರೆ.\n\nಆಹ್ವಾನವನ್ನು ಇಲ್ಲಿ ಸ್ವೀಕರಿಸಿ, {until} ರ ವರೆಗೆ:\n{link}\n\n\
            ಈ ಲಿಂಕ್ ನಿಮಗೆ ಮಾತ್ರ. ನೀವು ಇದನ್ನು ನಿರೀಕ್ಷಿಸಿರದಿದ್ದರೆ, ಈ ಮೇಲ್ ಅನ್ನು ಕಡೆಗಣಿಸಿ."
        ),
    );
    let subject = language.choose(
        format!("You are invited to {name}"),
        format!("{name} में आपका निमंत्रण"),
        format!("{name} ಗೆ ನಿಮಗೆ ಆಹ್ವಾನ"),
    );
    Ok(Some(Letter::plain(language, &subject, text)))
}

/// Returns a name on one line without special characters, so that it can't imitate lines of the mail or contain an
/// address.
fn one_line(name: &str) -> String {
    let is_plain = |c: &char| c.is_alphanumeric() || !c.is_ascii() && !c.is_control() || " '-".contains(*c);
    name.chars().filter(is_plain).take(60).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_without_an_address() {
        assert_eq!(one_line("Asha\r\nSee http://x.example"), "AshaSee httpxexample");
        assert_eq!(one_line(" D'Souza-Rao "), "D'Souza-Rao");
        assert_eq!(one_line("आशा"), "आशा");
    }
}
