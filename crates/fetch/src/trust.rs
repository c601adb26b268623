//! Whose certificates are trusted: those of the system and those that the user adds, checked by rustls.

use std::sync::{Arc, OnceLock};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use cited_core::error::{Error, Result};

/// What is trusted in one run. The system's certificates are read when the first is needed.
pub struct Trust {
    extra: Vec<CertificateDer<'static>>,
    config: OnceLock<Arc<ClientConfig>>,
}

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
        Ok(Trust { extra, config: OnceLock::new() })
    }

    /// HTTP/2 where the server speaks it, else HTTP/1.1. Sessions are resumed among all users of this configuration.
    pub fn config(&self) -> Arc<ClientConfig> {
        let build = || {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            roots.add_parsable_certificates(self.extra.iter().cloned());
            let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .expect("ring has ciphers of every version");
            let mut config = builder.with_root_certificates(roots).with_no_client_auth();
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
            Arc::new(config)
        };
        Arc::clone(self.config.get_or_init(build))
    }
}
