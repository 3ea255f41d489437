//! TLS, and the configuration that all HTTP clients of the service share.

use std::sync::{Arc, LazyLock};

use reqwest::{Client, ClientBuilder};
use rustls::{ClientConfig, crypto::aws_lc_rs};
use rustls_platform_verifier::Verifier;

/// `None` if this machine has no certificates; in that case, only making a client fails.
static CONFIG: LazyLock<Option<ClientConfig>> = LazyLock::new(|| {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = Verifier::new(provider.clone()).ok()?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().ok()?;
    // rustls calls every verifier "dangerous" that is not its own. This one is reqwest's default.
    let mut config =
        config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Some(config)
});

/// Begins a client that trusts the certificates of the system. They are read once: reading takes some 10 ms, and each copy
/// takes a megabyte.
pub fn client() -> ClientBuilder {
    match CONFIG.as_ref() {
        Some(config) => Client::builder().tls_backend_preconfigured(config.clone()),
        // Its `build` fails, and says why.
        None => Client::builder(),
    }
}

/// Installs a TLS provider before anything uses TLS: rustls can't choose when several providers are linked.
pub fn install_tls_provider() {
    // This fails only if a provider is installed already, which is just as good.
    aws_lc_rs::default_provider().install_default().ok();
}
