//! The short form of `bench/run faults`, without and with `--impair`: each fault once. It takes the server that
//! `./script/test --no-run` has built.

use std::{path::Path, process::Command};

#[test]
#[ignore = "takes eight minutes: ./script/test --no-run, then ./script/test --test faults -- --ignored"]
fn acknowledged_changes_are_there_once_after_every_fault() {
    let bench = env!("CARGO_BIN_EXE_roadcall-bench");
    let roadcall = Path::new(bench).with_file_name("roadcall");
    assert!(roadcall.is_file(), "{} is missing: build the whole workspace", roadcall.display());
    let folder = std::env::temp_dir().join(format!("roadcall-faults-{}", std::process::id()));
    // Only cutting links needs root.
    let can_cut = may_make_namespaces();
    if !can_cut {
        println!("links are not cut: no network namespaces here");
    }
    for kinds in [&["--rounds", "22"][..], &["--rounds", "9", "--impair"][..]] {
        let mut command = Command::new(bench);
        command.arg("faults").args(kinds).args(["--longest-s", "6", "--pairs", "4", "--sockets", "30"]);
        command.arg("--roadcall").arg(&roadcall).arg("--fleet-dir").arg(&folder);
        if !can_cut {
            command.arg("--loopback");
        }
        let status = command.status().expect("it starts");
        assert!(status.success(), "{kinds:?}: {status}; the logs are in {}", folder.display());
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

fn may_make_namespaces() -> bool {
    let ip =
        |arguments: &[&str]| Command::new("ip").args(arguments).status().is_ok_and(|status| status.success());
    let name = format!("roadcall-try-{}", std::process::id());
    let may_add = ip(&["netns", "add", &name]);
    // Some containers have namespaces, but no interfaces to put into them.
    let may_link =
        may_add && ip(&["-n", &name, "link", "add", "one", "type", "veth", "peer", "name", "other"]);
    may_add && ip(&["netns", "del", &name]) && may_link
}
