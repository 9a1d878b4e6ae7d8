use std::path::Path;

use super::*;
use crate::snapshot::znode::{Found, Stat};
use crate::snapshot::{Registration, TableFile};

const UUID: &str = "0f1e2d3c-4b5a-4678-9abc-def012345678";

fn dir() -> RemoteDir {
    RemoteDir::new("/r", Path::new("/")).unwrap()
}

fn seen(name: &str, paths: &[&str]) -> Observed {
    let tables =
        (0..).zip(paths).map(|(table_id, path)| TableFile { table_id, offsets_path: (*path).to_owned() });
    let registration = Registration { expiration_time: 0, tables: tables.collect() };
    Observed::of(name, registration.encode(), Stat::default())
}

fn references(znodes: &[(&str, &[&str], bool)]) -> References {
    let mut references = References::default();
    for (name, paths, expiring) in znodes {
        references.add(&seen(name, paths), &dir(), *expiring);
    }
    references
}

fn key(producer: &str) -> OffsetsKey {
    OffsetsKey::from_names(producer, "7", &format!("{UUID}.offsets")).unwrap()
}

fn at(folder: &str) -> String {
    format!("{folder}/producers/p/7/{UUID}.offsets")
}

#[test]
fn a_name_keeps_its_file_wherever_the_path_leads() {
    for path in [
        at("/r"),
        at("file:///r/"),
        at("file:/r/./x/.."),
        format!("/r/producers/another/9/{UUID}.offsets"),
        format!("/r/producers/{UUID}.offsets"),
        format!("/r/producers/p/7/{}.OFFSETS", UUID.to_uppercase()),
        format!("/r/producers/p/7/{}.offsets", UUID.replace('-', "%2d")),
        format!("/r/producers/p/7/{UUID}.offsets.bak"),
    ] {
        let references = references(&[("p", &[&path], false)]);
        assert_eq!(references.named(&key("p")), Named::Here, "{path}");
        assert_eq!(references.named(&key("q")), Named::Here, "{path}");
    }
    for path in [at("/s"), at("s3://r"), at("file://host/r"), at("r"), format!("/r/../{UUID}.offsets")] {
        let references = references(&[("p", &[&path], false)]);
        assert!(matches!(references.named(&key("p")), Named::Elsewhere([_])), "{path}");
    }
    for path in ["", "/", "/r/producers/p/7/x.offsets"] {
        assert_eq!(references(&[("p", &[path], false)]).named(&key("p")), Named::Not, "{path}");
    }
}

#[test]
fn what_goes_with_an_expired_one_is_its_own_alone() {
    let own = at("/r");
    let uuid = key("p").uuid;
    let expiring = |znodes: &[(&str, &[&str], bool)]| references(znodes).is_expiring(&uuid);
    assert!(expiring(&[("p", &[&own], true)]));
    assert!(!expiring(&[("p", &[&own], false)]));
    assert!(!expiring(&[("q", &[&own], true)]), "it lies with another, and no delete follows it there");
    assert!(!expiring(&[("p", &[&own], true), ("q", &[&own], false)]));
    assert!(!expiring(&[("q", &[&own], false), ("p", &[&own], true)]));
    assert!(!expiring(&[("p", &[&own], true), ("q", &[&own], true)]));
    assert!(!expiring(&[("p", &[&own, &own], true)]));
    assert!(!expiring(&[("p", &[&own], true), ("q", &[&at("s3://r")], false)]), "perhaps it is the same");
}

#[test]
fn places_are_shared_by_what_they_mean() {
    let place = |text: &str| Location::parse(text).unwrap();
    let (one, other) = (at("/r"), at("file:///r"));
    let alone = references(&[("p", &[&one, "/r/producers/p/7/odd"], false)]);
    assert!(alone.names(&place(&other)) && !alone.shares(&place(&other)));
    assert!(
        alone.names(&place("file:/r/producers/p/7/odd")) && !alone.shares(&place("/r/producers/p/7/odd"))
    );
    assert!(!alone.names(&place("/r/producers/p/7/even")));
    let shared = references(&[
        ("p", &[&one, "/r/producers/p/7/odd"], true),
        ("q", &[&other, "file:/r/producers/p/7/odd"], false),
    ]);
    assert!(shared.shares(&place(&one)) && shared.shares(&place("/r/producers/p/7/odd")));
    let elsewhere = references(&[("p", &[&one], true), ("q", &[&at("s3://r")], false)]);
    assert!(elsewhere.shares(&place(&one)), "in doubt it is kept");
}

#[test]
fn who_cannot_be_read_is_known_and_counted_apart() {
    let mut references = references(&[("empty", &[], false), ("whole", &[&at("/r")], false)]);
    references.add(&Observed::of("odd", b"{}".to_vec(), Stat::default()), &dir(), true);
    let found = Found::Unreadable("not authorized".into());
    references.add(&Observed { name: "secret".into(), found }, &dir(), true);
    assert_eq!(references.unreadable().keys().collect::<Vec<_>>(), ["odd", "secret"]);
    assert_eq!(references.unreadable()["secret"], "not authorized");
    assert_eq!(references.with_files(), 1);
    for (name, known) in [("odd", true), ("secret", true), ("empty", true), ("nobody", false)] {
        assert_eq!(references.knows(&ProducerId::parse(name).unwrap()), known, "{name}");
    }
}
