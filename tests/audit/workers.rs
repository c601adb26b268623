//! Workers on a real PostgreSQL: any number of them, killed, stopped and cut off; the database restarted.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;

use super::cable::Cable;
use super::postgres;
use super::runs;
use super::server::{Options, Server};
use super::world::{Ended, World, checked_once, manners, night, page, sources, wait_for, web_with};

/// A web of many hosts, and the list of its addresses.
fn many(hosts: usize, each: usize, latency: u64) -> (Server, Vec<String>) {
    let addresses: Vec<String> =
        (0..hosts * each).map(|number| format!("http://h{}.example/{number}", number % hosts)).collect();
    let answers: Vec<(&str, serde_json::Value)> =
        addresses.iter().map(|address| (address.as_str(), page("A text of some words"))).collect();
    (web_with(&answers, Options { latency: Duration::from_millis(latency), ..Options::default() }), addresses)
}

struct Workers<'a> {
    world: &'a World,
    web: &'a Server,
    /// The address of the database.
    state: String,
    running: Vec<Child>,
}

impl<'a> Workers<'a> {
    fn new(world: &'a World, web: &'a Server, state: &str) -> Workers<'a> {
        Workers { world, web, state: state.to_owned(), running: Vec::new() }
    }

    fn start(&mut self) -> &mut Child {
        let mut command =
            self.world.command(&["worker", "--state", &self.state, "--concurrency", "4", "--now", &night(0)]);
        command.args(manners(self.web)).stderr(Stdio::piped());
        self.running.push(command.spawn().unwrap());
        self.running.last_mut().unwrap()
    }
}

impl Drop for Workers<'_> {
    fn drop(&mut self) {
        for child in &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn workers_share_the_hosts_and_stop_when_told() {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(20, 6, 10);
    world.write("list.txt", &addresses.join("\n"));
    let mut workers = Workers::new(&world, &web, &database.address);
    workers.start();
    workers.start();
    let said: Vec<String> = workers
        .running
        .iter_mut()
        .map(|child| {
            let mut line = String::new();
            BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
            line
        })
        .collect();
    assert!(said[0].starts_with("working for postgres://tester@127.0.0.1") && !said[0].contains("secret"), "{said:?}");
    let arguments = ["list.txt", "--workers-only", "--format", "json", "--state", &database.address];
    let report = world.audit(&web, 0, &arguments).report(0);
    assert_eq!((&report["checked"], &report["states"]), (&json!(120), &json!({"alive": 120})));
    assert!(addresses.iter().all(|address| web.hits(address) == 1));
    for child in &mut workers.running {
        assert!(
            std::process::Command::new("kill")
                .args(["-s", "TERM", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_worker_that_is_told_to_stop_gives_back_what_it_has() {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(4, 30, 50);
    world.write("list.txt", &addresses.join("\n"));
    let mut workers = Workers::new(&world, &web, &database.address);
    let mut audit = world.start(&web, 0, &["list.txt", "--workers-only", "--state", &database.address]);
    workers.start();
    wait_for("first checks", || web.log().len() > 8);
    let child = &mut workers.running[0];
    assert!(
        std::process::Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap().success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // Nothing is lent for two minutes to somebody who is gone: the next worker begins at once.
    assert_eq!(
        database
            .sql("SELECT count(*) FROM cited.host WHERE next_at > extract(epoch FROM clock_timestamp()) * 1000 + 2000"),
        "0"
    );
    workers.start();
    assert!(audit.wait().unwrap().success());
    assert!(addresses.iter().all(|address| web.hits(address) == 1));
}

/// Workers are killed at random and the database is restarted: every source has one result, and it is there.
fn killed(times: u32) {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(25, 8, 20);
    world.write("list.txt", &addresses.join("\n"));
    let mut workers = Workers::new(&world, &web, &database.address);
    let arguments = ["list.txt", "--workers-only", "--format", "json", "--state", &database.address];
    let audit = world.audit_command(&web, 0, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for time in 0..times {
        workers.start();
        std::thread::sleep(Duration::from_millis(150 + u64::from(time * 67 % 250)));
        let mut child = workers.running.pop().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        // Nobody waits two minutes in a test: what the dead have in hand is free at once.
        database.sql("UPDATE cited.host SET next_at = 0 WHERE next_at IS NOT NULL");
        if time == times / 2 {
            database.restart();
        }
    }
    workers.start();
    workers.start();
    let report = Ended::read(&audit.wait_with_output().unwrap()).report(0);
    assert_eq!(
        (&report["checked"], &report["carried"], &report["states"]),
        (&json!(200), &json!(0), &json!({"alive": 200}))
    );
    let hits: usize = addresses.iter().map(|address| web.hits(address)).sum();
    assert!(hits <= 200 + 4 * times as usize * 2, "{hits} requests");
    checked_once(&sources(&database.address), 200);
}

#[test]
fn workers_that_are_killed_lose_nothing() {
    killed(5);
}

#[test]
#[ignore = "twenty deaths take a while"]
fn workers_that_are_killed_twenty_times_lose_nothing() {
    killed(20);
}

/// All that two workers and an audit say to the database goes over a cable: `harm` is done to it at moments of their work.
fn over_a_cable(harm: impl Fn(&Cable)) {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(25, 8, 40);
    world.write("list.txt", &addresses.join("\n"));
    let (cable, through) = Cable::to(&database.address);
    let mut workers = Workers::new(&world, &web, &through);
    workers.start();
    workers.start();
    let arguments = ["list.txt", "--workers-only", "--format", "json", "--state", &through];
    let audit = world.audit_command(&web, 0, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for seen in [10, 60, 120] {
        wait_for("checks", || web.log().len() >= seen);
        harm(&cable);
    }
    let report = Ended::read(&audit.wait_with_output().unwrap()).report(0);
    assert_eq!(
        (&report["checked"], &report["carried"], &report["states"]),
        (&json!(200), &json!(0), &json!({"alive": 200}))
    );
    // What was under way is asked once more, no more than that.
    let hits: usize = addresses.iter().map(|address| web.hits(address)).sum();
    assert!(hits <= 200 + 3 * 2 * 4, "{hits} requests");
    checked_once(&sources(&database.address), 200);
}

#[test]
fn a_network_that_is_cut_loses_nothing() {
    over_a_cable(|cable| {
        cable.cut();
        std::thread::sleep(Duration::from_millis(700));
        cable.mend();
    });
}

#[test]
fn a_network_that_swallows_everything_loses_nothing() {
    over_a_cable(|cable| {
        cable.silence();
        std::thread::sleep(Duration::from_millis(700));
        // What was on its way is lost.
        cable.cut();
        cable.mend();
    });
}

#[test]
fn a_database_that_cannot_be_reached_is_said() {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(1, 1, 0);
    world.write("list.txt", &addresses.join("\n"));
    let (cable, through) = Cable::to(&database.address);
    cable.cut();
    let ended = world.audit(&web, 0, &["list.txt", "--state", &through]);
    assert_eq!((ended.status, ended.err.lines().count()), (2, 1), "{}", ended.err);
    assert!(ended.err.contains("the database cannot be reached") && !ended.err.contains("secret"), "{}", ended.err);
    assert!(ended.err.contains(&cable.at().to_string()), "{}", ended.err);
}

#[test]
#[ignore = "a worker tries for two minutes"]
fn a_worker_whose_database_does_not_come_back_says_so() {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(2, 100, 100);
    world.write("list.txt", &addresses.join("\n"));
    let (cable, through) = Cable::to(&database.address);
    let mut audit = world.start(&web, 0, &["list.txt", "--workers-only", "--state", &database.address]);
    let mut workers = Workers::new(&world, &web, &through);
    workers.start();
    wait_for("checks", || web.log().len() > 8);
    cable.cut();
    let ended = Ended::read(&workers.running.pop().unwrap().wait_with_output().unwrap());
    assert!(
        ended.status == 2 && ended.err.contains("it did not come back; what was stored is kept, run it again"),
        "{}",
        ended.err
    );
    cable.mend();
    workers.start();
    assert!(audit.wait().unwrap().success());
    checked_once(&sources(&database.address), 200);
}

#[test]
fn audits_that_are_killed_lose_nothing_on_a_server() {
    let Some(database) = postgres::Server::start() else { return };
    // Nobody waits two minutes for a lease in a test.
    let free = || {
        let there = database.sql("SELECT to_regclass('cited.host') IS NOT NULL") == "t";
        if there {
            database.sql("UPDATE cited.host SET next_at = 0 WHERE next_at IS NOT NULL");
        }
    };
    runs::killed(&World::new(), &["--state", &database.address], 6, free);
}

#[test]
fn two_audits_at_once_ask_once_on_a_server() {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(10, 4, 50);
    world.write("list.txt", &addresses.join("\n"));
    let arguments = ["list.txt", "--format", "json", "--state", &database.address];
    let both = [0, 1].map(|_| {
        let mut command = world.audit_command(&web, 0, &arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    let mut checked =
        both.map(|child| Ended::read(&child.wait_with_output().unwrap()).report(0)["checked"].as_u64().unwrap());
    checked.sort_unstable();
    assert_eq!(checked, [0, 40]);
    assert!(addresses.iter().all(|address| web.hits(address) == 1));
    checked_once(&sources(&database.address), 40);
}

#[test]
fn what_is_no_state_on_a_server_is_said() {
    let Some(database) = postgres::Server::start() else { return };
    let world = World::new();
    let (web, addresses) = many(1, 1, 0);
    world.write("list.txt", &addresses.join("\n"));
    let check = |address: &str, expected: &str| {
        let ended = world.audit(&web, 0, &["list.txt", "--state", address]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{}", ended.err);
        assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
        assert!(ended.err.contains(expected) && !ended.err.contains("secret"), "{expected}: {}", ended.err);
        assert!(web.log().is_empty());
    };
    check(&database.address.replace("secret", "wrong"), "cannot be used as a state: password authentication failed");
    check(&format!("{}x", database.address), "does not exist");
    database.sql("CREATE SCHEMA cited; CREATE TABLE cited.people (name TEXT)");
    check(&database.address, "is of another program");
    database.sql("DROP SCHEMA cited CASCADE");
    world.audit(&web, 0, &["list.txt", "--state", &database.address]).with(0);
    let asked = web.log().len();
    database.sql("DROP TABLE cited.observation");
    let ended = world.audit(&web, 1, &["list.txt", "--state", &database.address]);
    assert!(ended.status == 2 && ended.err.contains("\"observation\" does not exist"), "{}", ended.err);
    database.sql("UPDATE cited.cited SET value = '99' WHERE name = 'version'");
    let ended = world.audit(&web, 1, &["list.txt", "--state", &database.address]);
    assert!(ended.status == 2 && ended.err.contains("was written by a newer cited (version 99"), "{}", ended.err);
    assert_eq!(web.log().len(), asked);
}
