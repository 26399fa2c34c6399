//! Which evaluation a config asks for.

use std::{io, sync::Arc};

use sextant_config::{Config, EvalKind};
use sextant_eval::{
    EvalModel,
    nnue::{NetError, Network},
};

/// The network that a config asks for cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("EvalFile: cannot read {path:?}: {source}")]
    Unreadable { path: String, source: io::Error },
    /// The file holds no network that can be used.
    #[error("EvalFile {path:?}: {source}")]
    Unfit { path: String, source: NetError },
    /// The network that is built in, or rather is not.
    #[error("Eval_Kind nnue: {0}")]
    Embedded(NetError),
    /// The engine was given a config that names a file, but not what is in it.
    #[error("EvalFile {path:?} was not read by the program that started this search")]
    NotGiven { path: String },
}

/// The network that `config` asks for, its file read by `read`; `None` where the hand-made
/// evaluation is asked for. A file that is named is looked at even then.
pub fn network(
    config: &Config,
    read: impl FnOnce(&str) -> io::Result<Vec<u8>>,
) -> Result<Option<Arc<Network>>, NetworkError> {
    let path = config.eval.file.as_str();
    let wanted = config.eval.kind == EvalKind::Nnue;
    if path.is_empty() {
        let embedded = wanted.then(Network::embedded).transpose();
        return embedded.map_err(NetworkError::Embedded);
    }
    let bytes = read(path).map_err(|source| NetworkError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let network = Network::from_bytes(&bytes).map_err(|source| NetworkError::Unfit {
        path: path.to_owned(),
        source,
    })?;
    Ok(wanted.then(|| Arc::new(network)))
}

/// What a worker's evaluation is made from; without a `network` the one that is built in is used.
pub(crate) fn model(
    config: &Config,
    network: Option<Arc<Network>>,
) -> Result<EvalModel, NetworkError> {
    match (config.eval.kind, network) {
        (EvalKind::Classical, _) => Ok(EvalModel::Classical {
            tempo: config.eval.tempo,
        }),
        (EvalKind::Nnue, Some(network)) => Ok(EvalModel::Network(network)),
        (EvalKind::Nnue, None) if config.eval.file.is_empty() => Network::embedded()
            .map(EvalModel::Network)
            .map_err(NetworkError::Embedded),
        (EvalKind::Nnue, None) => Err(NetworkError::NotGiven {
            path: config.eval.file.clone(),
        }),
    }
}
