//! The mail that brings a code.

use roadcall_platform::error::ApiResult;
use roadcall_providers::mails::{DueMail, Letter, MailLanguage};

use super::{actions::code, queries};
use crate::{auth::AuthContext, users};

/// Writes the mail in its reader's language; `None` if the code is no longer valid, or another mail has a newer code.
pub async fn letter(context: &AuthContext, mail: &DueMail) -> ApiResult<Option<Letter>> {
    let row = queries::code_of(&context.db, mail.about_id).await?;
    let is_of_this =
        |row: &queries::EmailCodeRow| row.email == mail.address && row.sent_at == mail.created_at;
    let row = row.filter(|row| is_of_this(row) && row.expires_at > context.clock.now());
    let Some(row) = row else { return Ok(None) };
    let Some(person) = users::find(&context.db, mail.about_id).await? else { return Ok(None) };
    let language = MailLanguage::of(&person.language);
    let code = code(context, mail.about_id, &row);
    let subject = language.choose("Confirm your address", "अपना पता पक्का करें", "ನಿಮ್ಮ ವಿಳಾಸವನ್ನು ದೃಢೀಕರಿಸಿ");
    let text = language.choose(
        format!(
            "{code} is your code to confirm this address. Enter it in the app within 30 minutes.\n\n\
            If you did not ask for it, ignore this mail: nothing changes without the code."
        ),
        format!(
            "{code} इस पते को पक्का करने का आपका कोड है। इसे 30 मिनट के अंदर ऐप में डालें।\n\n\
            अगर आपने इसे नहीं माँगा, तो इस मेल को अनदेखा करें: कोड के बिना कुछ नहीं बदलता।"
        ),
        format!(
            "{code} ಈ ವಿಳಾಸವನ್ನು ದೃಢೀಕರಿಸುವ ನಿಮ್ಮ ಕೋಡ್. ಇದನ್ನು 30 ನಿಮಿಷಗಳೊಳಗೆ ಆ್ಯಪ್‌ನಲ್ಲಿ ನಮೂದಿಸಿ.\n\n\
            ನೀವು ಇದನ್ನು ಕೇಳಿರದಿದ್ದರೆ, ಈ ಮೇಲ್ ಅನ್ನು ಕಡೆಗಣಿಸಿ: ಕೋಡ್ ಇಲ್ಲದೆ ಏನೂ ಬದಲಾಗುವುದಿಲ್ಲ."
        ),
    );
    Ok(Some(Letter::plain(language, subject, text)))
}
