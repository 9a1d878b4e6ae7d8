//! Jobs that read a snapshot while it is deleted: none may be told of a valid snapshot without tables.

use std::ops::Range;

use crate::support::fluss::Fluss;
use crate::support::flussctl::Flussctl;
use crate::support::peer::{Peer, Readings, Registered};
use crate::support::{PATIENCE, require_servers, until};

/// How many threads read, and how many milliseconds lie between two reads of one.
const READERS: (usize, u64) = (64, 10);

fn ids(prefix: &str, numbers: Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("{prefix}-{number:03}")).collect()
}

fn register(peer: &Peer, ids: &[String]) {
    for id in ids {
        assert_eq!(peer.register(id, &["5:0=1", "6:0=2"]), Ok(Registered::Created), "{id}");
    }
}

/// Read the snapshots with many threads while something is done to them.
fn read_while(peer: &Peer, ids: &[String], work: impl FnOnce()) -> Readings {
    peer.start_readers(READERS.0, READERS.1, ids);
    until("the readers read", PATIENCE, || peer.readings().reads > 300);
    work();
    peer.stop_readers()
}

#[test]
fn while_valid_snapshots_are_deleted_in_batches_no_reader_is_told_of_one_without_tables() {
    require_servers!();
    let fluss = Fluss::shared();
    let peer = fluss.peer();
    // Long beside the time that the server takes for one answer, and short beside the minute of the real thing.
    let flussctl = Flussctl::of(fluss).reader_wait("1000ms");
    let all = ids("readers-batch", 0..200);
    register(&peer, &all);
    for batch in all.chunks(10) {
        let pattern = format!("{}?", &batch[0][..batch[0].len() - 1]);
        let readings = read_while(&peer, batch, || {
            let delete = flussctl.line("po delete --yes --no-backup -o name --match").args([&pattern]);
            assert_eq!(delete.run().expect(0).stdout.lines().count(), 10);
        });
        assert_eq!(readings.emptied, 0, "{pattern}: {readings:?}");
    }
    assert!(all.iter().all(|id| fluss.offsets_files(id).is_empty()));
}

/// With the minute that a delete really waits.
#[test]
fn with_the_whole_wait_no_reader_is_told_of_a_snapshot_without_tables() {
    require_servers!();
    let fluss = Fluss::shared();
    let peer = fluss.peer();
    let all = ids("readers-whole", 0..20);
    register(&peer, &all);
    let readings = read_while(&peer, &all, || {
        let delete = Flussctl::of(fluss).line("po delete --match readers-whole-* --yes --no-backup -o name");
        let deleted = delete.spawn().wait(3 * PATIENCE).expect(0);
        assert_eq!(deleted.stdout.lines().count(), 20);
    });
    assert_eq!(readings.emptied, 0, "{readings:?}");
}

/// Shows that the readers of these tests see the fault where there is one.
#[test]
fn while_the_server_deletes_readers_are_told_of_valid_snapshots_without_tables() {
    require_servers!();
    let fluss = Fluss::shared();
    let (peer, deleter) = (fluss.peer(), Fluss::shared_peer());
    for round in 0..10 {
        let all = ids(&format!("readers-server-{round}"), 0..200);
        register(&peer, &all);
        let seen = all.chunks(10).any(|batch| {
            let delete = || batch.iter().for_each(|id| deleter.delete(id).unwrap());
            read_while(&peer, batch, delete).emptied > 0
        });
        if seen {
            return;
        }
    }
    panic!("the server deleted 2000 snapshots under 64 readers, and none was told of one without tables");
}
