//! Whose certificates are trusted: those of the system and those that the user adds, checked by rustls.

use std::sync::{Arc, OnceLock};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use cited_core::error::{Error, Result};

/// What is trusted in one run. The system's certificates are read when the first is needed.
pub struct Trust {
    extra: Vec<CertificateDer<'static>>,
    roots: OnceLock<Arc<RootCertStore>>,
    usual: OnceLock<ClientConfig>,
}

/// A configuration, or why there is none.
type Config = std::result::Result<ClientConfig, String>;

impl Trust {
    /// The system's certificates and these, in PEM.
    ///
    /// # Errors
    /// When one is not PEM, or a file holds no certificate.
    pub fn new(extra_ca_pem: &[Vec<u8>]) -> Result<Self> {
        let mut extra = Vec::new();
        for pem in extra_ca_pem {
            let before = extra.len();
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let certificate = certificate
                    .map_err(|error| Error::settings(format!("the extra CA certificate is not PEM: {error:?}")))?;
                extra.push(certificate);
            }
            if extra.len() == before {
                return Err(Error::settings("the extra CA file holds no certificate; it has to be PEM"));
            }
        }
        Ok(Trust { extra, roots: OnceLock::new(), usual: OnceLock::new() })
    }

    /// HTTP/2 where the server speaks it, else HTTP/1.1. Sessions are resumed among all users of this configuration.
    pub fn usual(&self) -> Config {
        if let Some(config) = self.usual.get() {
            return Ok(config.clone());
        }
        let mut config = self.http1()?;
        config.alpn_protocols.insert(0, b"h2".to_vec());
        Ok(self.usual.get_or_init(|| config).clone())
    }

    /// HTTP/1.1 only.
    pub fn http1(&self) -> Config {
        let mut config = with_roots(self.roots())?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }

    /// Nobody is trusted: for clients that speak no TLS.
    pub fn nothing() -> Config {
        with_roots(Arc::new(RootCertStore::empty()))
    }

    fn roots(&self) -> Arc<RootCertStore> {
        let read = || {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            roots.add_parsable_certificates(self.extra.iter().cloned());
            Arc::new(roots)
        };
        Arc::clone(self.roots.get_or_init(read))
    }
}

fn with_roots(roots: Arc<RootCertStore>) -> Config {
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS: {error}"))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
