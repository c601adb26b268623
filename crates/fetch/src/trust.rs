//! Whose certificates are trusted: those of the system and those that the user adds, checked by rustls.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

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

    /// HTTP/1.1 only, and the certificate has to be the one of this address whatever the server is called.
    pub fn as_literal(&self, address: IpAddr) -> Config {
        let mut config = self.http1()?;
        let verifier = WebPkiServerVerifier::builder_with_provider(self.roots(), provider())
            .build()
            .map_err(|error| format!("TLS: {error}"))?;
        let name = ServerName::IpAddress(address.into());
        config.dangerous().set_certificate_verifier(Arc::new(Named { verifier, name }));
        // Server Name Indication knows no addresses (RFC 6066, section 3).
        config.enable_sni = false;
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

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn with_roots(roots: Arc<RootCertStore>) -> Config {
    let builder = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS: {error}"))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// The usual checks, for a name other than the one that the connection was opened by.
#[derive(Debug)]
struct Named {
    verifier: Arc<WebPkiServerVerifier>,
    name: ServerName<'static>,
}

impl ServerCertVerifier for Named {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, rustls::Error> {
        self.verifier.verify_server_cert(end_entity, intermediates, &self.name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}
