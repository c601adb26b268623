//! Spellings and routes, one a row.

use std::net::IpAddr;

use ipnet::IpNet;
use url::Url;

use super::{ConnectTo, Settings};

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Says {
    Asks,
    Scheme,
    Userinfo,
    Port,
    Address,
    /// Not an address at all: the parser refuses it.
    Unparsed,
}

fn says(guard: &Settings, address: &str) -> Says {
    let Ok(url) = Url::parse(address) else { return Says::Unparsed };
    let Err(failure) = guard.vet_url(&url) else { return Says::Asks };
    match failure.reason.split(' ').nth(1) {
        Some("scheme") => Says::Scheme,
        Some("user") => Says::Userinfo,
        Some("port") => Says::Port,
        Some("address") => Says::Address,
        _ => Says::Unparsed,
    }
}

fn check(guard: &Settings, address: &str, expected: Says) {
    assert_eq!(says(guard, address), expected, "{address}");
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn addresses_by_default() {
    use Says::{Address, Asks, Port, Scheme, Unparsed, Userinfo};
    let guard = Settings::default();
    for (address, expected) in [
        // Public.
        ("https://example.org/", Asks),
        ("http://example.org:80/", Asks),
        ("https://example.org:443/", Asks),
        ("http://example.org:443/", Asks),
        ("https://bücher.example/", Asks),
        ("http://93.184.216.34/", Asks),
        ("http://1572395042/", Asks),
        ("http://[2606:2800:220:1:248:1893:25c8:1946]/", Asks),
        ("http://[::ffff:93.184.216.34]/", Asks),
        ("http://[64:ff9b::5db8:d822]/", Asks),
        // Loopback in its spellings.
        ("http://127.0.0.1/", Address),
        ("http://127.1/", Address),
        ("http://127.0.1/", Address),
        ("http://2130706433/", Address),
        ("http://0x7f000001/", Address),
        ("http://0x7f.1/", Address),
        ("http://0x7f.0x0.0x0.0x1/", Address),
        ("http://0177.0.0.1/", Address),
        ("http://017700000001/", Address),
        ("http://127.0.0.1./", Address),
        ("http://①②⑦.0.0.1/", Address),
        ("http://１２７.０.０.１/", Address),
        ("http://127。0。0。1/", Address),
        ("http://%31%32%37.0.0.1/", Address),
        ("http://127.255.255.254/", Address),
        ("http://[::1]/", Address),
        ("http://[0:0:0:0:0:0:0:1]/", Address),
        ("http://[::ffff:127.0.0.1]/", Address),
        ("http://[::ffff:7f00:1]/", Address),
        ("http://[::127.0.0.1]/", Address),
        ("http://[64:ff9b::7f00:1]/", Address),
        ("http://[64:ff9b::127.0.0.1]/", Address),
        ("http://[64:ff9b:1::7f00:1]/", Address),
        // Private, link-local, shared, reserved.
        ("http://0.0.0.0/", Address),
        ("http://0/", Address),
        ("http://10.1.2.3/", Address),
        ("http://0xa.1.2.3/", Address),
        ("http://100.64.0.1/", Address),
        ("http://100.127.255.255/", Address),
        ("http://100.128.0.1/", Asks),
        ("http://169.254.169.254/latest/meta-data/", Address),
        ("http://2852039166/", Address),
        ("http://0xa9fea9fe/", Address),
        ("http://172.16.0.1/", Address),
        ("http://172.31.255.255/", Address),
        ("http://172.32.0.1/", Asks),
        ("http://192.0.0.8/", Address),
        ("http://192.0.2.1/", Address),
        ("http://192.88.99.1/", Address),
        ("http://192.168.0.1/", Address),
        ("http://192.168.257/", Address),
        ("http://198.18.0.1/", Address),
        ("http://198.19.255.255/", Address),
        ("http://198.51.100.7/", Address),
        ("http://203.0.113.9/", Address),
        ("http://224.0.0.251/", Address),
        ("http://239.255.255.250/", Address),
        ("http://240.0.0.1/", Address),
        ("http://255.255.255.255/", Address),
        ("http://168.63.129.16/", Address),
        ("http://[fe80::1]/", Address),
        ("http://[fc00::1]/", Address),
        ("http://[fd12:3456::1]/", Address),
        ("http://[ff02::1]/", Address),
        ("http://[::]/", Address),
        ("http://[2001::1]/", Address),
        ("http://[2001:1ff::1]/", Address),
        ("http://[2001:db8::1]/", Address),
        ("http://[2002:7f00:1::]/", Address),
        ("http://[3fff:fff::1]/", Address),
        ("http://[4000::1]/", Address),
        ("http://[fec0::1]/", Address),
        ("http://[::ffff:10.0.0.1]/", Address),
        ("http://[::ffff:a9fe:a9fe]/", Address),
        // Ports.
        ("http://example.org:8080/", Port),
        ("https://example.org:22/", Port),
        ("http://93.184.216.34:6379/", Port),
        ("http://127.0.0.1:80/", Address),
        // Userinfo.
        ("http://user@example.org/", Userinfo),
        ("http://user:secret@example.org/", Userinfo),
        ("http://:secret@example.org/", Userinfo),
        ("http://example.org@127.0.0.1/", Userinfo),
        ("http://example.org%2f@127.0.0.1/", Userinfo),
        ("http://127.0.0.1\\@example.org/", Address),
        // Schemes.
        ("ftp://example.org/", Scheme),
        ("file:///etc/passwd", Scheme),
        ("gopher://example.org/", Scheme),
        ("data:text/html,x", Scheme),
        ("javascript:alert(1)", Scheme),
        ("ws://example.org/", Scheme),
        // Not addresses.
        ("http://256.256.256.256/", Unparsed),
        ("http://127.0.0.1.1/", Unparsed),
        ("http://[::1%25lo]/", Unparsed),
        ("http:///", Unparsed),
        ("//example.org/", Unparsed),
        ("http://exa mple.org/", Unparsed),
        ("http://example.org:99999/", Unparsed),
    ] {
        check(&guard, address, expected);
    }
}

fn nets(list: &[&str]) -> Vec<IpNet> {
    list.iter().map(|net| net.parse().unwrap()).collect()
}

fn routes(list: &[&str]) -> Vec<ConnectTo> {
    list.iter().map(|route| route.parse().unwrap()).collect()
}

#[test]
fn what_the_user_opens_is_open_and_nothing_else() {
    use Says::{Address, Asks, Port};
    let inside = Settings { allow_net: nets(&["10.20.0.0/16", "fd00::/8"]), ..Settings::default() };
    check(&inside, "http://10.20.3.4:8080/", Asks);
    check(&inside, "http://[::ffff:10.20.3.4]/", Asks);
    check(&inside, "http://[fd00::7]:3000/", Asks);
    check(&inside, "http://10.21.0.1/", Address);
    check(&inside, "http://127.0.0.1/", Address);
    check(&inside, "http://93.184.216.34:8080/", Port);

    let ports = Settings { allow_ports: vec![8443], ..Settings::default() };
    check(&ports, "https://example.org:8443/", Asks);
    check(&ports, "https://example.org:8444/", Port);
    check(&ports, "https://127.0.0.1:8443/", Address);

    let routed = Settings { connect_to: routes(&["only.example:443:127.0.0.1:8443"]), ..Settings::default() };
    check(&routed, "https://only.example/", Asks);
    check(&routed, "http://only.example:8080/", Port);
    check(&routed, "https://127.0.0.1/", Address);
    check(&routed, "https://127.0.0.1:8443/", Address);

    let all = Settings { connect_to: routes(&[":80:127.0.0.1:1", ":443:127.0.0.1:2"]), ..Settings::default() };
    check(&all, "https://10.0.0.1/", Asks);
    check(&all, "http://10.0.0.1:8080/", Address);
}

#[test]
fn resolved_addresses() {
    let guard = Settings::default();
    let check = |addresses: &[&str], port: u16, fine: bool| {
        let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
        assert_eq!(guard.vet_all(&addresses, port).is_ok(), fine, "{addresses:?}");
    };
    check(&["93.184.216.34"], 443, true);
    check(&["93.184.216.34", "2606:2800:220:1::1"], 443, true);
    // One bad address refuses the name.
    check(&["93.184.216.34", "127.0.0.1"], 443, false);
    check(&["::ffff:192.168.1.1"], 443, false);
    check(&["64:ff9b::a00:1"], 443, false);
    check(&["93.184.216.34"], 25, false);
}

#[test]
fn names_that_a_proxy_must_not_get() {
    let guard = Settings::default();
    let check = |name: &str, fine: bool| assert_eq!(guard.vet_proxied(name).is_ok(), fine, "{name}");
    check("example.org", true);
    check("localhost", false);
    check("LOCALHOST.", false);
    check("x.localhost", false);
    check("printer.local", false);
    check("metadata.google.internal", false);
    check("router.lan", false);
    check("intranet", false);
    check("notlocal.example", true);
}

#[test]
fn routes_in_curls_manner() {
    let check = |route: &str, host: &str, port: u16, expected: (&str, u16)| {
        let guard = Settings { connect_to: routes(&[route]), ..Settings::default() };
        let found = guard.route(host, port);
        assert_eq!((found.0, found.1), expected, "{route}");
    };
    check("a.example:443:127.0.0.1:8443", "a.example", 443, ("127.0.0.1", 8443));
    check("A.EXAMPLE:443:127.0.0.1:8443", "a.example", 443, ("127.0.0.1", 8443));
    check("a.example:443:127.0.0.1:8443", "b.example", 443, ("b.example", 443));
    check("a.example:443:127.0.0.1:8443", "a.example", 80, ("a.example", 80));
    check(":443:127.0.0.1:8443", "any.example", 443, ("127.0.0.1", 8443));
    check("a.example::127.0.0.1:8443", "a.example", 8080, ("127.0.0.1", 8443));
    check("::[::1]:8443", "any.example", 80, ("::1", 8443));
    check("[2001:db8::1]:443:b.example:8443", "2001:db8::1", 443, ("b.example", 8443));
    check("a.example:443::8443", "a.example", 443, ("a.example", 8443));
    check("a.example:443:b.example:", "a.example", 443, ("b.example", 443));
    for wrong in ["", "a", "a:443", "a:443:b", "a:x:b:1", "a:443:b:99999", "[::1:443:b:1"] {
        assert!(wrong.parse::<ConnectTo>().is_err(), "{wrong}");
    }
}
