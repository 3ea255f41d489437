/// Returns unused memory to the system, and needs less of it than the default for many small objects.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    roadcall::cli::run()
}
