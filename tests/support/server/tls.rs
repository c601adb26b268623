//! Certificates by server name from a test authority that is made when the server starts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// The authority and the certificates it has issued.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    ca_pem: String,
    key: KeyPair,
    issued: Mutex<BTreeMap<String, Arc<ServerConfig>>>,
}

impl Authority {
    /// A new authority.
    pub fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "cited test authority");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyCertSign];
        let ca_key = KeyPair::generate().expect("a key");
        let ca = params.self_signed(&ca_key).expect("a certificate");
        let ca_pem = ca.pem();
        Authority {
            issuer: Issuer::new(params, ca_key),
            ca_pem,
            key: KeyPair::generate().expect("a key"),
            issued: Mutex::default(),
        }
    }

    /// The certificate that clients must trust.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// What a TLS server for `name` needs, with the fault asked for.
    pub fn config(&self, name: &str, fault: Option<&str>, http1_only: bool) -> Arc<ServerConfig> {
        let mut issued = self.issued.lock().expect("certificates");
        if let Some(config) = issued.get(name) {
            return Arc::clone(config);
        }
        let named = if fault == Some("wrong-host") { "other.invalid" } else { name };
        let mut params = CertificateParams::new(vec![named.to_owned()]).expect("a host name");
        params.distinguished_name.push(DnType::CommonName, "cited test server");
        if fault == Some("expired") {
            params.not_before = rcgen::date_time_ymd(2019, 1, 1);
            params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        }
        let certificate = if fault == Some("self-signed") {
            params.self_signed(&self.key)
        } else {
            params.signed_by(&self.key, &self.issuer)
        };
        let certificate = certificate.expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("protocol versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a key that fits");
        config.alpn_protocols =
            if http1_only { vec![b"http/1.1".to_vec()] } else { vec![b"h2".to_vec(), b"http/1.1".to_vec()] };
        let config = Arc::new(config);
        issued.insert(name.to_owned(), Arc::clone(&config));
        config
    }
}
