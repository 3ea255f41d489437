//! A NATS server for one test.

use std::{
    env, fs,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use serde_json::Value;

use super::{free_ports, within};

/// As it is in a URL: `s%40fe`.
const PASSWORD: &str = "s@fe";

/// Ends with the test.
#[derive(Debug)]
pub struct Nats {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Nats {
    pub async fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("roadcall-nats-{}-{number}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let [port] = free_ports();
        let nats = Self { child: run(&folder, port), folder, port };
        nats.until_it_listens().await;
        nats
    }

    pub fn url(&self) -> String {
        self.url_by(self.address())
    }

    /// By another way to it.
    pub fn url_by(&self, address: SocketAddr) -> String {
        format!("nats://roadcall:s%40fe@{address}")
    }

    /// A client that is none of the servers.
    pub async fn client(&self) -> async_nats::Client {
        let options =
            async_nats::ConnectOptions::with_user_and_password("roadcall".to_owned(), PASSWORD.to_owned());
        options.connect(format!("nats://{}", self.address())).await.expect("NATS")
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("a running process");
        self.child.wait().expect("a dead process");
    }

    /// After [`Nats::kill`], at the same address.
    pub async fn run_again(&mut self) {
        self.child = run(&self.folder, self.port);
        self.until_it_listens().await;
    }

    async fn until_it_listens(&self) {
        let ports = self.folder.join(format!("nats-server_{}.ports", self.child.id()));
        let listens = async {
            loop {
                let read = fs::read(&ports).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
                if read.is_some_and(|ports| ports["nats"][0].is_string()) {
                    return;
                }
                // Nothing signals what another process does.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        within("NATS listens", listens).await
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn run(folder: &std::path::Path, port: u16) -> Child {
    Command::new(env::var_os("ROADCALL_NATS_SERVER").unwrap_or_else(|| "nats-server".into()))
        .args(["--addr", "127.0.0.1", "--user", "roadcall", "--pass", PASSWORD])
        .args(["--port", &port.to_string(), "--ports_file_dir"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server: script/bootstrap installs it")
}
