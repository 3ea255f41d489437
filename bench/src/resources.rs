//! The resources that processes used, from Linux's /proc: CPU seconds and resident memory.

use std::{collections::HashMap, fs, time::Duration};

use serde::Serialize;

/// The ticks a second of /proc/PID/stat: USER_HZ, 100 on every relevant Linux.
const TICKS_PER_S: f64 = 100.0;

/// The processes that are watched.
#[derive(Debug, Clone, Copy)]
pub struct Watched {
    pub server: Option<u32>,
}

/// Cumulative CPU seconds at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct CpuSeconds {
    pub server: f64,
    pub postgres: f64,
    pub generator: f64,
    /// The CPU seconds of programs that the generator ran and that have ended, such as pgbench.
    pub helpers: f64,
}

/// The resources used between two looks.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Used {
    pub cpu_s: f64,
    /// The percentage of one core.
    pub cpu_percent: f64,
}

/// Resident memory in MiB.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Memory {
    pub server_rss_mib: f64,
    /// The proportional set size where it may be read, so that shared buffers count once; else the sum of RSS.
    pub postgres_mib: f64,
    pub generator_rss_mib: f64,
}

#[derive(Debug, Clone, PartialEq)]
struct Stat {
    command: String,
    parent: u32,
    own_ticks: u64,
    /// The ticks of children that have ended and were waited for.
    reaped_ticks: u64,
}

impl Watched {
    pub fn cpu(self) -> CpuSeconds {
        let seconds = |ticks: u64| ticks as f64 / TICKS_PER_S;
        let of = |pid: u32| stat(pid).map_or(0.0, |stat| seconds(stat.own_ticks));
        let postgres = self.postgres().into_iter().filter_map(stat);
        let postgres = postgres.map(|stat| seconds(stat.own_ticks + stat.reaped_ticks)).sum();
        let generator = stat(std::process::id());
        CpuSeconds {
            server: self.server.map_or(0.0, of),
            postgres,
            generator: generator.as_ref().map_or(0.0, |stat| seconds(stat.own_ticks)),
            helpers: generator.map_or(0.0, |stat| seconds(stat.reaped_ticks)),
        }
    }

    /// Returns the resources used from now on, for so long.
    pub async fn over(self, lasting: Duration) -> [(&'static str, Used); 3] {
        let before = self.cpu();
        tokio::time::sleep(lasting).await;
        self.cpu().since(before, lasting.as_secs_f64())
    }

    pub fn memory(self) -> Memory {
        Memory {
            server_rss_mib: self.server.and_then(rss_mib).unwrap_or_default(),
            postgres_mib: self
                .postgres()
                .into_iter()
                .filter_map(|pid| pss_mib(pid).or_else(|| rss_mib(pid)))
                .sum(),
            generator_rss_mib: rss_mib(std::process::id()).unwrap_or_default(),
        }
    }

    /// Returns the postmaster that the server started, and its backends.
    fn postgres(self) -> Vec<u32> {
        let Some(server) = self.server else { return Vec::new() };
        let all: HashMap<u32, Stat> = pids().into_iter().filter_map(|pid| Some((pid, stat(pid)?))).collect();
        let is_below = |pid: u32| {
            let parents = std::iter::successors(all.get(&pid), |stat| all.get(&stat.parent));
            parents.take(8).any(|stat| stat.parent == server)
        };
        let named = all.iter().filter(|(_, stat)| stat.command.starts_with("postgres"));
        named.map(|(pid, _)| *pid).filter(|pid| is_below(*pid)).collect()
    }
}

impl CpuSeconds {
    pub fn since(self, before: Self, wall_s: f64) -> [(&'static str, Used); 3] {
        let used =
            |now: f64, then: f64| Used { cpu_s: now - then, cpu_percent: (now - then) / wall_s * 100.0 };
        [
            ("server", used(self.server, before.server)),
            ("postgres", used(self.postgres, before.postgres)),
            ("generator", used(self.generator, before.generator)),
        ]
    }
}

fn pids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn stat(pid: u32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Parses a line of proc(5): the command is in parentheses and may contain spaces and parentheses itself.
fn parse_stat(text: &str) -> Option<Stat> {
    let (head, tail) = text.rsplit_once(") ")?;
    let command = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = tail.split_whitespace().collect();
    // `tail` begins with field 3 of the manual.
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Stat {
        command,
        parent: u32::try_from(number(4)?).ok()?,
        own_ticks: number(14)? + number(15)?,
        reaped_ticks: number(16)? + number(17)?,
    })
}

/// Returns the resident memory of one process.
pub fn rss_mib(pid: u32) -> Option<f64> {
    kib_of(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?, "VmRSS:")
}

fn pss_mib(pid: u32) -> Option<f64> {
    kib_of(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?, "Pss:")
}

fn kib_of(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_with_parentheses_does_not_shift_the_fields() {
        let text = "42 (post) gres: x) S 7 42 42 0 -1 0 1 2 3 4 100 20 3 4 20 0 1 0 5 6 7";
        let expected = Stat { command: "post) gres: x".into(), parent: 7, own_ticks: 120, reaped_ticks: 7 };
        assert_eq!(parse_stat(text), Some(expected));
        assert_eq!(parse_stat("nonsense"), None);
        assert_eq!(parse_stat("1 (a) S 2"), None);
    }

    #[test]
    fn memory_is_read_in_mib() {
        assert_eq!(kib_of("VmPeak:\t 4 kB\nVmRSS:\t  2048 kB\n", "VmRSS:"), Some(2.0));
        assert_eq!(kib_of("VmPeak:\t 4 kB\n", "VmRSS:"), None);
    }
}
