use std::process::ExitCode;

use roadcall::pages::AppFiles;
use rust_embed::Embed;

/// An allocator that returns unused memory to the system, and needs less of it than the default for many small objects.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The files of the web apps. No other file is compiled with them, so a changed page compiles this file alone. `script/web`
/// touches it, because the compiler does not notice new files.
#[derive(Embed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct BuiltApps;

fn main() -> ExitCode {
    // The allocator asks for huge pages, which stay in memory although little of each is used.
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_thp_disable(true).ok();
    roadcall::cli::run(apps())
}

/// Returns the files in the program, or in a debug build the folder, so that a reload of a page shows the newest build.
fn apps() -> AppFiles {
    if cfg!(debug_assertions) {
        return AppFiles::default();
    }
    // The build keeps its own notes in hidden files.
    let names = BuiltApps::iter().filter(|name| !name.starts_with('.'));
    AppFiles::built_in(names.filter_map(|name| Some((name.clone(), BuiltApps::get(&name)?.data))))
}
