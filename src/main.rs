/// The system's keeps what it once had; this one gives it back, and needs less for many small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    roadcall::cli::run()
}
