//! What differs from run to run in the program's output, and the words that stand for it in snapshots.

use insta::Settings;

/// Patterns and their stand-ins, applied in this order.
const VOLATILE: &[(&str, &str)] = &[
    (r"(?:/[\w.@%+~-]+)+/tmp/runs/\d+/t\w{6}", "[TMP]"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "[UUID]"),
    (r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?", "[TIME]"),
    // Milliseconds since the epoch, of this decade.
    (r"\b1[7-9]\d{11}\b", "[MS]"),
    (r"\b(127\.0\.0\.1|localhost|\[::1\]):\d{4,5}\b", "$1:[PORT]"),
    (r#"((?:"|\*\*)?[cmp]zxid(?:"|\*\*)?[:=]? *"?)(?:0x)?[0-9a-f]+\b"#, "${1}[ZXID]"),
    // What is left until a time, or past since; and the blanks of the columns that it stretches.
    (r"\((?:now|in \d+\w+(?: \d+\w+)?|\d+\w+(?: \d+\w+)? ago)\)", "([LEFT])"),
    (r"(\S) {3,}", "$1  "),
    (r"\b127\.0\.0\.1_\d{4,5}_t-\d+/([\w-]+)\.\d+\.json", "[CLUSTER]/$1.[ZXID].json"),
    (r"/t-\d+\b", "/[ROOT]"),
];

/// Give insta's settings that replace it all; more patterns of a test's own may be added.
pub fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    for (pattern, word) in VOLATILE {
        settings.add_filter(pattern, *word);
    }
    settings
}

/// Compare an output with its snapshot, volatile parts replaced; takes what `insta::assert_snapshot!` takes.
macro_rules! assert_output {
    ($($argument:tt)*) => {
        crate::support::redact::settings().bind(|| insta::assert_snapshot!($($argument)*))
    };
}
pub(crate) use assert_output;

#[test]
fn volatile_parts_are_replaced() {
    let output = super::flussctl::Output {
        shown: "flussctl po get p".to_owned(),
        stdout: "file:/build/target/tmp/runs/17/tAb9xYz/remote/producers/p/7/0f8fad5b-d9cb-469f-a165-70867728950e.offsets\n\
                 expires 2026-12-02 15:04:05+00:00, 2026-12-02T15:04:05.123Z (1764687845123)\n\
                 in 3 days     (in 3d 4h)  (5s ago) (now)\n\
                 \"mzxid\": 281474976710657, offset 9223372036854775807\n"
            .to_owned(),
        stderr: "cannot reach 127.0.0.1:12345/t-3\n".to_owned(),
        code: 7,
    };
    assert_output!(output, @r#"
    $ flussctl po get p
    --- stdout
    file:[TMP]/remote/producers/p/7/[UUID].offsets
    expires [TIME], [TIME] ([MS])
    in 3 days  ([LEFT])  ([LEFT]) ([LEFT])
    "mzxid": [ZXID], offset 9223372036854775807
    --- stderr
    cannot reach 127.0.0.1:[PORT]/[ROOT]
    --- exit code 7
    "#);
}
