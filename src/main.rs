//! argv to exit status, nothing else.

fn main() -> std::process::ExitCode {
    cited::program::main()
}
