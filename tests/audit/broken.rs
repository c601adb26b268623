//! What cannot be a state: one clear message each, exit status 2, and nothing is changed.

use super::world::{World, page, web};

/// A run on a state that cannot be used.
#[track_caller]
fn check(world: &World, state: &str, expected: &str) {
    let web = web(&[("https://a.example/", page("A text"))]);
    world.write("list.txt", "https://a.example/\n");
    let before = std::fs::read(world.path(state)).ok();
    let ended = world.audit(&web, 0, &["list.txt", "--state", state]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{}", ended.err);
    assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
    assert!(ended.err.contains(expected), "{}", ended.err);
    assert!(web.log().is_empty());
    assert!(std::fs::read(world.path(state)).ok() == before, "{state} was changed");
}

fn sql(world: &World, name: &str, statements: &str) {
    let connection = rusqlite::Connection::open(world.path(name)).unwrap();
    connection.execute_batch(statements).unwrap();
    connection.close().unwrap();
}

/// A state that an audit has made.
fn made(world: &World, name: &str) {
    let web = web(&[("https://a.example/", page("A text"))]);
    world.write("list.txt", "https://a.example/\n");
    world.audit(&web, 0, &["list.txt", "--state", name]).with(0);
}

#[test]
fn what_is_no_state_is_said_and_left_alone() {
    let world = World::new();
    world.write("text.sqlite", "just some text");
    check(&world, "text.sqlite", "cannot be used as a state: file is not a database");
    sql(&world, "other.sqlite", "CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('Ann');");
    check(&world, "other.sqlite", "is a database of another program");
    check(&world, "none/audit.sqlite", "unable to open database file");
    check(&world, "redis://localhost/0", "must be a file or an address");
    std::fs::create_dir(world.path("folder")).unwrap();
    check(&world, "folder", "unable to open database file");
}

#[test]
fn a_state_of_another_version_is_said() {
    let world = World::new();
    made(&world, "newer.sqlite");
    sql(&world, "newer.sqlite", "UPDATE cited SET value = '99' WHERE name = 'version'; PRAGMA journal_mode = DELETE;");
    let web = web(&[("https://a.example/", page("A text"))]);
    let ended = world.audit(&web, 1, &["list.txt", "--state", "newer.sqlite"]);
    assert!(ended.status == 2 && ended.err.contains("was written by a newer cited (version 99"), "{}", ended.err);
    made(&world, "half.sqlite");
    sql(&world, "half.sqlite", "DROP TABLE observation;");
    let ended = world.audit(&web, 1, &["list.txt", "--state", "half.sqlite"]);
    assert!(ended.status == 2 && ended.err.contains("no such table: observation"), "{}", ended.err);
}

#[test]
fn a_clock_that_was_set_back_is_said() {
    let world = World::new();
    let web = web(&[("https://a.example/", page("A text"))]);
    world.write("list.txt", "https://a.example/\n");
    world.audit(&web, 9, &["list.txt"]).with(0);
    let ended = world.audit(&web, 5, &["list.txt"]);
    assert!(ended.status == 2 && ended.err.contains("and the clock says"), "{}", ended.err);
    world.audit(&web, 10, &["list.txt"]).with(0);
}

#[cfg(unix)]
#[test]
fn a_state_that_cannot_be_written_is_said() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    made(&world, "audit.sqlite");
    std::fs::set_permissions(world.path("audit.sqlite"), std::fs::Permissions::from_mode(0o444)).unwrap();
    // Root may write everything.
    if std::fs::File::options().write(true).open(world.path("audit.sqlite")).is_ok() {
        return;
    }
    check(&world, "audit.sqlite", "audit.sqlite: cannot be written");
}

#[test]
fn a_worker_needs_a_database() {
    let world = World::new();
    let ended = world.run(&["worker", "--state", "audit.sqlite"]);
    assert_eq!(ended.status, 2);
    let expected = if cfg!(feature = "postgres") { "needs a database" } else { "built without PostgreSQL" };
    assert!(ended.err.contains(expected), "{}", ended.err);
}

#[test]
fn a_document_that_is_no_text_is_said_and_the_rest_is_done() {
    let world = World::new();
    let web = web(&[("https://a.example/", page("A text"))]);
    world.write("docs/a.md", "See [a](https://a.example/).\n");
    std::fs::write(world.path("docs/b.md"), [0x23, 0x20, 0xff, 0xfe, 0x0a]).unwrap();
    let ended = world.audit(&web, 0, &["docs"]);
    assert_eq!(ended.status, 3);
    assert!(ended.err.starts_with("not read: docs/b.md: not UTF-8"), "{}", ended.err);
    assert_eq!(web.hits("https://a.example/"), 1);
}
