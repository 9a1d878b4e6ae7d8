//! Writes each decision into the audit log as it ends, and remembers when that failed.

use std::sync::Mutex;

use serde_json::{Map, Value};

use crate::cli::audit::{Audit, Decision};
use crate::error::{Error, Kind, Result};

/// The audit log of one command.
pub struct Journal {
    command: &'static str,
    audit: Audit,
    fault: Mutex<Option<String>>,
}

impl Journal {
    /// Begin the journal of a command.
    pub const fn new(command: &'static str, audit: Audit) -> Self {
        Self { command, audit, fault: Mutex::new(None) }
    }

    /// Write a decision down, with what else is worth keeping.
    pub fn note(&self, producer_id: Option<&str>, action: &str, outcome: &str, more: &[(&str, Value)]) {
        let more: Map<String, Value> =
            more.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let decision = Decision { command: self.command, producer_id, action, outcome, more };
        if let Err(error) = self.audit.record(&decision)
            && let Ok(mut fault) = self.fault.lock()
        {
            fault.get_or_insert_with(|| error.to_string());
        }
    }

    /// Fail where a decision could not be written down: nothing more is begun then.
    pub fn check(&self) -> Result<()> {
        match self.fault.lock().ok().and_then(|fault| fault.clone()) {
            Some(why) => Err(Error::new(Kind::Failed, format!("the audit log cannot be written: {why}"))),
            None => Ok(()),
        }
    }
}
