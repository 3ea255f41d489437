//! Questions on the wire, and as their category stores them.

use deserr::Deserr;
use roadcall_http::{Invalid, Items, Text, ValidationErrors, text_enum};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

text_enum! {
    /// The form of an answer.
    AnswerKind {
        YesNo = "yes_no",
        /// A text among the choices.
        Choice = "choice",
        /// Up to 500 characters.
        Text = "text",
        Number = "number",
    }
}

/// The name of a question's answer: lower-case letters, digits and underscores, at most 40, a letter first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserr, ToSchema)]
#[deserr(try_from(String) = QuestionKey::new -> Invalid)]
#[schema(pattern = "^[a-z][a-z0-9_]*$", max_length = 40, example = "wheels_turn")]
pub struct QuestionKey(pub String);

impl QuestionKey {
    fn new(text: String) -> Result<Self, Invalid> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
        let holds = text.len() <= 40 && begins && text.chars().all(fits);
        if holds { Ok(Self(text)) } else { Err("must be 1 to 40 of a-z, 0-9 and _, a letter first".into()) }
    }
}

/// A question to add to a category.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewQuestion {
    pub key: QuestionKey,
    /// The question in words.
    pub text: Text<1, 200>,
    pub kind: AnswerKind,
    /// Required if `kind` is choice, and can't be given otherwise.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<Text<1, 60>>>, max_items = 20)]
    pub choices: Option<Items<Text<1, 60>, 2, 20>>,
}

/// The questions of a category, which replace the present ones.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewQuestions {
    /// The questions in the order in which they are asked.
    #[schema(value_type = Vec<NewQuestion>, max_items = 30)]
    pub questions: Items<NewQuestion, 0, 30>,
}

/// A question that a partner may answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CategoryQuestion {
    /// The name of the answer in a case.
    pub key: String,
    /// The question in words.
    pub text: String,
    pub kind: AnswerKind,
    /// Empty unless `kind` is choice.
    pub choices: Vec<String>,
}

/// The questions of a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CategoryQuestions {
    /// The questions in the order in which they are asked.
    pub questions: Vec<CategoryQuestion>,
}
