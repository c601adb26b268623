//! What may be asked at all: schemes, ports, addresses.
//!
//! Decisions are made on the parsed [`url::Host`] and on resolved addresses, never on strings. The guard itself resolves
//! nothing: whoever connects asks it about every address first and connects only to addresses that passed.

use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::LazyLock;

use ipnet::IpNet;
use url::{Host, Url};

use super::settings::{ConnectTo, Settings};
use super::transport::Failure;
use cited_core::rule::Rule;
use cited_text::lexicon::table;

/// Why an address is not asked.
fn refusal(why: impl Display) -> Failure {
    Failure::new(Rule::Refused, format!("refused: {why}"))
}

/// The ranges of a class of `data/refused.tsv`. The well-known NAT64 prefix has an IPv4 address in its last four bytes.
fn ranges(class: &'static str) -> Vec<IpNet> {
    table::words(include_str!("data/refused.tsv"), class).map(|range| range.parse().expect("a range")).collect()
}

static REFUSED: LazyLock<Vec<IpNet>> = LazyLock::new(|| ranges("refused"));
static INTERNET: LazyLock<Vec<IpNet>> = LazyLock::new(|| ranges("internet"));
static NAT64: LazyLock<Vec<IpNet>> = LazyLock::new(|| ranges("nat64"));

fn is_within(ranges: &[IpNet], address: IpAddr) -> bool {
    ranges.iter().any(|range| range.contains(&address))
}

/// Endings of names that only have a meaning on this machine or network (RFC 6761, RFC 6762, ICANN's `.internal`).
/// They matter when a proxy resolves names; otherwise their addresses are vetted.
const LOCAL_NAMES: [&str; 6] = ["localhost", "local", "internal", "home.arpa", "lan", "intranet"];

impl Settings {
    /// Whether an address may be asked, as far as it can be told without resolving its name.
    pub fn vet_url(&self, url: &Url) -> Result<(), Failure> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refusal(format_args!("scheme {}", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refusal("user name in the address"));
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(refusal("no host in the address"));
        };
        let name = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        if let (_, _, true) = self.route(name, port) {
            return Ok(());
        }
        match host {
            Host::Ipv4(address) => self.vet_ip(address.into(), port),
            Host::Ipv6(address) => self.vet_ip(address.into(), port),
            // An allowed range may hold the name's addresses; only a connection can tell.
            Host::Domain(_) if !self.allow_net.is_empty() => Ok(()),
            Host::Domain(_) => self.vet_port(port),
        }
    }

    /// Whether a connection may be made to this address and port.
    pub fn vet_ip(&self, address: IpAddr, port: u16) -> Result<(), Failure> {
        let address = embedded(address);
        if is_within(&self.allow_net, address) {
            return Ok(());
        }
        if !is_public(address) {
            return Err(refusal(format_args!("address {address} is not public")));
        }
        self.vet_port(port)
    }

    /// Whether every address of a name may be connected to: one bad address refuses the name.
    pub fn vet_all(&self, addresses: &[IpAddr], port: u16) -> Result<(), Failure> {
        addresses.iter().try_for_each(|&address| self.vet_ip(address, port))
    }

    /// Whether a name may be handed to a proxy, which resolves it out of our sight.
    pub fn vet_proxied(&self, host: &str) -> Result<(), Failure> {
        let name = format!(".{}", host.trim_end_matches('.').to_ascii_lowercase());
        let is_local = LOCAL_NAMES.iter().any(|local| name.ends_with(&format!(".{local}")));
        if (is_local || !name[1..].contains('.')) && self.allow_net.is_empty() {
            return Err(refusal(format_args!("{} is not a public name", &name[1..])));
        }
        Ok(())
    }

    /// Where a connection for this host and port goes: to this host, without brackets, and port, and whether the user named the host, so that it
    /// needs no vetting.
    pub fn route<'a>(&'a self, host: &'a str, port: u16) -> (&'a str, u16, bool) {
        let mut routes = self.connect_to.iter().filter(|ConnectTo { from: (from_host, from_port), .. }| {
            from_host.as_deref().is_none_or(|from| from.eq_ignore_ascii_case(host))
                && from_port.is_none_or(|from| from == port)
        });
        let Some(ConnectTo { to: (to_host, to_port), .. }) = routes.next() else { return (host, port, false) };
        (to_host.as_deref().unwrap_or(host), to_port.unwrap_or(port), to_host.is_some())
    }

    /// Whether a port may be asked at every public address.
    fn vet_port(&self, port: u16) -> Result<(), Failure> {
        let is_open = matches!(port, 80 | 443) || self.allow_ports.contains(&port);
        if is_open { Ok(()) } else { Err(refusal(format_args!("port {port}"))) }
    }
}

/// The IPv4 address inside a mapped or NAT64 address, else the address itself.
fn embedded(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    if let Some(v4) = v6.to_ipv4_mapped() {
        return v4.into();
    }
    if is_within(&NAT64, address) {
        let [.., a, b, c, d] = v6.octets();
        return Ipv4Addr::new(a, b, c, d).into();
    }
    address
}

/// Whether an address is one of the internet, whatever the user opened beside it.
pub fn is_public(address: IpAddr) -> bool {
    let address = embedded(address);
    is_within(&INTERNET, address) && !is_within(&REFUSED, address)
}

#[cfg(test)]
mod tests;
