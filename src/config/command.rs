//! The commands of the binary.

use clap::Subcommand;
use clap_complete::Shell;

use crate::command_line::Ask;

/// What the binary does instead of serving.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Answer a question here, without a service.
    #[command(flatten)]
    Ask(Ask),
    /// Print a script that completes commands for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Serve an assistant that speaks the Model Context Protocol on standard input and output.
    Mcp,
    /// Ask the running service whether it is ready: exit code 0 if it is, 1 if not.
    Healthcheck,
}
