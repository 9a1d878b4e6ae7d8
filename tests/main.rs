//! The integration tests: one binary, a file a command.
