/// Returns unused memory to the system, and needs less of it than the default for many small objects.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    // The allocator asks for huge pages, which stay in memory although little of each is used.
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_thp_disable(true).ok();
    roadcall::cli::run()
}
