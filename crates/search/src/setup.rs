//! What engines are made of: a config, and the network and the tables that it asks for.

use std::{io, sync::Arc};

use sextant_config::{Config, EvalKind, SyzygyBackend};
use sextant_eval::{
    Params,
    nnue::{NetError, Network},
};
use sextant_repetition::History as Repetitions;
use sextant_syzygy::{Backend, SyzygyError, Tablebase};

use crate::{
    bench,
    engine::{Engine, EngineError},
};

/// A config with its network and its tables. All engines of a setup share both.
#[derive(Clone)]
pub struct EngineSetup {
    config: Config,
    network: Option<Arc<Network>>,
    tables: Option<Arc<Tablebase>>,
}

impl EngineSetup {
    /// A config and the network that it asks for, its file read by `read`, and no tables.
    ///
    /// # Errors
    /// [`NetworkError`] if there is no such network.
    pub fn new(
        config: Config,
        read: impl FnOnce(&str) -> io::Result<Vec<u8>>,
    ) -> Result<EngineSetup, NetworkError> {
        Ok(EngineSetup {
            network: network(&config, read)?,
            config,
            tables: None,
        })
    }

    /// The same with the tables that the config names, if it names a folder.
    ///
    /// # Errors
    /// [`SyzygyError`] if no folder can be read.
    pub fn with_tables(mut self) -> Result<EngineSetup, SyzygyError> {
        self.tables = open_tables(&self.config)?;
        Ok(self)
    }

    /// The config.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The network; `None` is the classical evaluation.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// The tables, if they were opened.
    #[must_use]
    pub fn tables(&self) -> Option<&Arc<Tablebase>> {
        self.tables.as_ref()
    }

    /// A new engine with threads of its own, see [`Engine::with_network`].
    ///
    /// # Errors
    /// [`EngineError`] if there is no memory or no thread for it.
    pub fn engine(&self) -> Result<Engine, EngineError> {
        let engine = Engine::with_network(self.config.clone(), self.network.clone());
        Ok(self.equip(engine?))
    }

    /// A new engine that searches on the thread that asks it, see [`Engine::on_caller`].
    ///
    /// # Errors
    /// [`EngineError`] if there is no memory for it.
    pub fn engine_on_caller(&self) -> Result<Engine, EngineError> {
        let engine = Engine::on_caller(self.config.clone(), self.network.clone());
        Ok(self.equip(engine?))
    }

    fn equip(&self, mut engine: Engine) -> Engine {
        engine.set_tablebase(self.tables.clone());
        engine
    }

    /// What tells setups apart, see [`bench::signature`].
    ///
    /// # Errors
    /// As [`EngineSetup::engine`].
    pub fn signature(&self) -> Result<u64, EngineError> {
        bench::signature(&self.config, self.network.clone())
    }
}

/// The tables that `config` names; `None` if it names no folder.
///
/// # Errors
/// [`SyzygyError`] if no folder can be read.
pub fn open_tables(config: &Config) -> Result<Option<Arc<Tablebase>>, SyzygyError> {
    if config.syzygy.path.is_empty() {
        return Ok(None);
    }
    let backend = match config.syzygy.backend {
        SyzygyBackend::Native => Backend::Native,
        SyzygyBackend::Pyrrhic => Backend::Pyrrhic,
    };
    Tablebase::open(&config.syzygy.path, backend).map(|tables| Some(Arc::new(tables)))
}

/// The network that a config asks for cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("EvalFile: cannot read {path:?}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds no network that can be used.
    #[error("EvalFile {path:?}: {source}")]
    Unfit {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: NetError,
    },
    /// The network that is built in, or rather is not.
    #[error("Eval_Kind nnue: {0}")]
    Embedded(NetError),
    /// The engine was given a config that names a file, but not what is in it.
    #[error("EvalFile {path:?} was not read by the program that started this search")]
    NotGiven {
        /// The file.
        path: String,
    },
}

/// The network that `config` asks for, its file read by `read`; `None` where the hand-made
/// evaluation is asked for. A file that is named is looked at even then.
///
/// # Errors
/// [`NetworkError`] if there is no such network.
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
///
/// # Errors
/// [`NetworkError`] if the config asks for another network or none is built in.
pub(crate) fn params(
    config: &Config,
    network: Option<Arc<Network>>,
) -> Result<Params, NetworkError> {
    match (config.eval.kind, network) {
        (EvalKind::Classical, _) => Ok(Params::Classical {
            tempo: config.eval.tempo,
        }),
        (EvalKind::Nnue, Some(network)) => Ok(Params::Network(network)),
        (EvalKind::Nnue, None) if config.eval.file.is_empty() => Network::embedded()
            .map(Params::Network)
            .map_err(NetworkError::Embedded),
        (EvalKind::Nnue, None) => Err(NetworkError::NotGiven {
            path: config.eval.file.clone(),
        }),
    }
}

/// The repetition history of a config.
pub(crate) fn repetitions(config: &Config) -> Repetitions {
    let bits = config.repetition.filter_bits as u32;
    Repetitions::new(bits).expect("the config allows only sizes that the filter has")
}
