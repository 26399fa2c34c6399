//! The network that is built in, read once.

use std::sync::{Arc, OnceLock};

use super::{error::NetError, network::Network};

// `const BYTES: Option<&[u8]>`, written by the build script.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

impl Network {
    /// The network that is built in, shared by all who ask.
    ///
    /// # Errors
    /// [`NetError::NoneEmbedded`] in a build without one.
    pub fn embedded() -> Result<Arc<Network>, NetError> {
        static NETWORK: OnceLock<Result<Arc<Network>, NetError>> = OnceLock::new();
        let read = || {
            let bytes = BYTES.ok_or(NetError::NoneEmbedded)?;
            Network::from_bytes(bytes).map(Arc::new)
        };
        NETWORK.get_or_init(read).clone()
    }
}
