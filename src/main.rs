fn main() -> std::process::ExitCode {
    roadcall::cli::run()
}
