//! The questions to partners about a breakdown, category by category: data that admins set. Pure.

mod dto;

use std::collections::{BTreeMap, BTreeSet};

use roadcall_http::{Text, ValidationErrors};
use serde_json::Value;

pub use dto::{AnswerKind, CategoryQuestion, CategoryQuestions, NewQuestions};

impl NewQuestions {
    /// Returns the questions, or 422 with what does not fit together.
    pub fn checked(self) -> Result<Vec<CategoryQuestion>, ValidationErrors> {
        let (mut faults, mut keys) = (ValidationErrors::default(), BTreeSet::new());
        let mut questions = Vec::with_capacity(self.questions.0.len());
        for (index, new) in self.questions.0.into_iter().enumerate() {
            if !keys.insert(new.key.clone()) {
                faults.add(format!("questions[{index}].key"), "is given twice");
            }
            if new.choices.is_some() != (new.kind == AnswerKind::Choice) {
                let why = "is required if kind is choice, and can't be given otherwise";
                faults.add(format!("questions[{index}].choices"), why);
            }
            let choices = new.choices.map_or_else(Vec::new, |choices| choices.0);
            let choices = choices.into_iter().map(|choice| choice.0).collect();
            questions.push(CategoryQuestion { key: new.key.0, text: new.text.0, kind: new.kind, choices });
        }
        if faults.0.is_empty() { Ok(questions) } else { Err(faults) }
    }
}

/// Adds what is wrong with the answers to these questions to the faults, as fields of `answers`.
pub fn check_answers(
    questions: &[CategoryQuestion],
    answers: &BTreeMap<String, Value>,
    faults: &mut ValidationErrors,
) {
    for (key, answer) in answers {
        let fault = match questions.iter().find(|question| question.key == *key) {
            None => Some("is not a question of this kind of help".to_owned()),
            Some(question) => question.fault(answer),
        };
        if let Some(why) = fault {
            faults.add(format!("answers.{}", key.chars().take(64).collect::<String>()), why);
        }
    }
}

impl CategoryQuestion {
    fn fault(&self, answer: &Value) -> Option<String> {
        let fits = match self.kind {
            AnswerKind::YesNo => answer.is_boolean(),
            AnswerKind::Choice => {
                answer.as_str().is_some_and(|text| self.choices.iter().any(|choice| choice == text))
            }
            AnswerKind::Text => {
                answer.as_str().is_some_and(|text| Text::<1, 500>::new(text.to_owned()).is_ok())
            }
            AnswerKind::Number => answer.is_number(),
        };
        (!fits).then(|| match self.kind {
            AnswerKind::YesNo => "must be true or false".to_owned(),
            AnswerKind::Choice => format!("must be one of {}", self.choices.join(", ")),
            AnswerKind::Text => "must be text of 1 to 500 characters".to_owned(),
            AnswerKind::Number => "must be a number".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(questions: Value) -> Result<Vec<CategoryQuestion>, Vec<String>> {
        let read =
            deserr::deserialize::<NewQuestions, _, ValidationErrors>(json!({ "questions": questions }));
        read.and_then(NewQuestions::checked).map_err(|faults| faults.0.into_keys().collect())
    }

    fn asked() -> Vec<CategoryQuestion> {
        let questions = json!([
            {"key": "wheels_turn", "text": "Do the wheels turn?", "kind": "yes_no"},
            {"key": "gear", "text": "Which gearbox?", "kind": "choice", "choices": ["manual", "automatic"]},
            {"key": "noise", "text": "What do you hear?", "kind": "text"},
            {"key": "tyres", "text": "How many tyres are flat?", "kind": "number"},
        ]);
        read(questions).expect("sound questions")
    }

    #[test]
    fn questions_have_names_that_differ_and_choices_only_where_there_is_a_choice() {
        assert_eq!(asked().len(), 4);
        let question = json!({"key": "a", "text": "?", "kind": "yes_no"});
        for (questions, fault) in [
            (json!([question, question]), "questions[1].key"),
            (json!([{"key": "A", "text": "?", "kind": "yes_no"}]), "questions[0].key"),
            (json!([{"key": "a", "text": "?", "kind": "choice"}]), "questions[0].choices"),
            (
                json!([{"key": "a", "text": "?", "kind": "text", "choices": ["x", "y"]}]),
                "questions[0].choices",
            ),
            (json!([{"key": "a", "text": "?", "kind": "choice", "choices": ["x"]}]), "questions[0].choices"),
        ] {
            assert_eq!(read(questions).expect_err(fault), [fault]);
        }
    }

    #[test]
    fn answers_have_the_form_that_their_question_asks_for() {
        let faults_of = |answers: Value| {
            let answers: BTreeMap<String, Value> = serde_json::from_value(answers).expect("an object");
            let mut faults = ValidationErrors::default();
            check_answers(&asked(), &answers, &mut faults);
            faults.0.into_keys().collect::<Vec<_>>()
        };
        let sound = json!({"wheels_turn": false, "gear": "manual", "noise": "A click", "tyres": 2});
        assert_eq!(faults_of(sound), [""; 0]);
        assert_eq!(faults_of(json!({})), [""; 0], "nobody has to answer");
        for odd in [
            json!({"wheels_turn": "yes"}),
            json!({"wheels_turn": null}),
            json!({"gear": "none"}),
            json!({"noise": ""}),
            json!({"noise": "x".repeat(501)}),
            json!({"tyres": "2"}),
            json!({"unknown": true}),
        ] {
            let key = odd.as_object().and_then(|odd| odd.keys().next().cloned()).unwrap();
            assert_eq!(faults_of(odd), [format!("answers.{key}")]);
        }
    }
}
