//! The end of every change: the answer, what failed told to people too, and the one end that all ends make.

use serde_json::{Value, json};

use super::outcome::Outcome;
use crate::carry_out::journal::Journal;
use crate::cli::answer::{OnClosed, answer_failed};
use crate::commands::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;

/// Give the answer, and the end that all ends make.
///
/// An audit log that failed is an end too.
pub(super) async fn report(
    context: &Context,
    journal: Option<&Journal>,
    outcomes: Vec<Outcome>,
    dry_run: bool,
) -> Result<Option<Kind>> {
    report_with(context, journal, outcomes, dry_run, Vec::new()).await
}

/// Give the answer with notes at the end of its document.
pub(super) async fn report_with(
    context: &Context,
    journal: Option<&Journal>,
    mut outcomes: Vec<Outcome>,
    dry_run: bool,
    notes: Vec<(&'static str, Value)>,
) -> Result<Option<Kind>> {
    outcomes.sort_by(|a, b| (&a.producer_id, &a.path).cmp(&(&b.producer_id, &b.path)));
    outcomes.iter_mut().for_each(Outcome::close);
    let unwritten = journal.and_then(|journal| journal.check().err());
    let answered = context
        .answer::<Outcome, _>(OnClosed::GoOn, async |renderer| {
            for outcome in &outcomes {
                renderer.push(outcome).map_err(answer_failed)?;
            }
            renderer.note("dry_run", json!(dry_run));
            if let Some(error) = &unwritten {
                renderer.note("audit_log_error", error.to_string());
            }
            for (key, value) in notes {
                renderer.note(key, value);
            }
            Ok(())
        })
        .await;
    tell_failures(context, &outcomes);
    answered?;
    let mut ends: Vec<Option<Kind>> = outcomes.iter().map(|outcome| outcome.end).collect();
    if let Some(error) = unwritten {
        context.terminal.error(&error);
        ends.push(Some(error.kind()));
    }
    Ok(exit::worst(ends))
}

/// Tell each failure on stderr too: a table may be cut, and not every format holds failures.
fn tell_failures(context: &Context, outcomes: &[Outcome]) {
    for outcome in outcomes {
        let Some(kind) = outcome.end else { continue };
        let name = outcome.path.clone().or_else(|| outcome.producer_id.clone()).unwrap_or_default();
        let reason = outcome.reason.clone().unwrap_or_default();
        let mut error =
            Error::new(kind, if names(&reason, &name) { reason } else { format!("{name}: {reason}") });
        let hints = outcome.error.as_ref().and_then(|e| e["hints"].as_array().cloned()).unwrap_or_default();
        for hint in hints.iter().filter_map(|hint| hint.as_str()) {
            error = error.hint(hint);
        }
        context.terminal.error(&error);
    }
}

/// Say whether a sentence names an item, and not just holds its letters: `code` is an id, and in "decoded".
fn names(sentence: &str, name: &str) -> bool {
    let part_of_a_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    sentence.match_indices(name).any(|(at, _)| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + name.len()..].chars().next();
        !before.is_some_and(part_of_a_word) && !after.is_some_and(part_of_a_word)
    })
}
