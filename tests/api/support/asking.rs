//! Statements that a test itself sends to the database. Their parameters are texts: `$1::uuid` reads one as an id.

use sqlx::{FromRow, Postgres, postgres::PgRow};

use super::{TestApp, within};

impl TestApp {
    /// Carries out a change; returns the number of its rows.
    pub async fn change(&self, sql: &'static str, texts: &[&str]) -> u64 {
        let query = sqlx::query::<Postgres>(sql);
        let query = texts.iter().fold(query, |query, text| query.bind((*text).to_owned()));
        let done = query.execute(&self.database.db).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}")).rows_affected()
    }

    /// Runs `roadcall ledger check`; returns whether the ledger is sound, and the figures.
    pub async fn check_ledger(&self) -> (bool, String) {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_roadcall"));
        command.args(["ledger", "check", "--data-dir"]).arg(self.data_dir.join("check"));
        let ended = command.env("DATABASE_URL", self.database.url()).kill_on_drop(true).output();
        let output = within("the command ends", ended).await.expect("an output");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Moves the end of a job back by so many seconds: its completion, its cancellation and the end of its dispute.
    pub async fn pass_since_end(&self, job: &str, seconds: i64) {
        let moved = "update job_states set completed_at = completed_at - make_interval(secs => $2::float8),
            cancelled_at = cancelled_at - make_interval(secs => $2::float8),
            resolved_at = resolved_at - make_interval(secs => $2::float8) where id = $1::uuid";
        self.change(moved, &[job, &seconds.to_string()]).await;
    }

    /// Returns the rows of an answer.
    pub async fn rows<T>(&self, sql: &'static str, texts: &[&str]) -> Vec<T>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let query = sqlx::query_as::<Postgres, T>(sql);
        let query = texts.iter().fold(query, |query, text| query.bind((*text).to_owned()));
        query.fetch_all(&self.database.db).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Returns the first row of an answer.
    pub async fn row<T>(&self, sql: &'static str, texts: &[&str]) -> T
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let rows = self.rows(sql, texts).await;
        rows.into_iter().next().unwrap_or_else(|| panic!("{sql}: no row"))
    }

    /// Returns the values of an answer of one column.
    pub async fn values<T>(&self, sql: &'static str, texts: &[&str]) -> Vec<T>
    where
        T: Send + Unpin,
        (T,): for<'r> FromRow<'r, PgRow>,
    {
        self.rows::<(T,)>(sql, texts).await.into_iter().map(|(value,)| value).collect()
    }

    /// Returns the value of an answer of one row and one column.
    pub async fn value<T>(&self, sql: &'static str, texts: &[&str]) -> T
    where
        T: Send + Unpin,
        (T,): for<'r> FromRow<'r, PgRow>,
    {
        self.row::<(T,)>(sql, texts).await.0
    }
}
