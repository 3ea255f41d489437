//! The conclusions of a leader from a check of its lock.

/// The result of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The session that took the lock still has it.
    Confirmed,
    /// A different session answers on the same connection.
    Pooled,
    /// The session was gone; a new one has the lock, and nobody else has led in between.
    TakenAgain,
    /// Another session has the lock, and nobody else has led in between: it may be this server's earlier session.
    HeldElsewhere,
    /// Another server has led in between.
    AnotherLed,
    /// The database does not answer.
    Unreachable,
}

/// The consequence of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Renew,
    /// The lease continues for its granted time, and no longer.
    TryAgain,
    GiveUp,
}

/// The step, and its reason for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Next {
    pub step: Step,
    pub why: &'static str,
}

pub(super) const POOLED: &str = "the lock's session changes between statements: a transaction pooler stands before Postgres; \
    let DATABASE_URL lead to Postgres itself or to a pooler in session mode";

pub(super) fn next(look: Look) -> Next {
    let (step, why) = match look {
        Look::Confirmed => (Step::Renew, "confirmed"),
        Look::TakenAgain => (Step::Renew, "the session was lost and the lock taken again"),
        Look::HeldElsewhere => {
            (Step::TryAgain, "an earlier session of this server, or a standby, has the lock")
        }
        Look::Unreachable => (Step::TryAgain, "the database does not answer"),
        Look::Pooled => (Step::GiveUp, POOLED),
        Look::AnotherLed => (Step::GiveUp, "another server took over"),
    };
    Next { step, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_continues_only_while_nobody_else_has_led() {
        let cases = [
            (Look::Confirmed, Step::Renew),
            (Look::TakenAgain, Step::Renew),
            (Look::HeldElsewhere, Step::TryAgain),
            (Look::Unreachable, Step::TryAgain),
            (Look::Pooled, Step::GiveUp),
            (Look::AnotherLed, Step::GiveUp),
        ];
        for (look, step) in cases {
            assert_eq!(next(look).step, step, "{look:?}");
        }
    }
}
