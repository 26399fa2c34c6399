//! What engines are made of: a config, and the network and the tables that it asks for.

use std::{io, sync::Arc};

use sextant_config::{Config, SyzygyBackend};
use sextant_eval::{EvalState, nnue::Network};
use sextant_syzygy::{Backend, Options, SyzygyError, Tablebase};

use crate::{
    bench,
    engine::{Engine, EngineError},
    evaluation::{NetworkError, model, network},
    quiescence::Quiescence,
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
    pub fn with_tables(mut self) -> Result<EngineSetup, SyzygyError> {
        self.tables = open_tables(&self.config)?;
        Ok(self)
    }

    /// The same with tables that are open already.
    pub fn sharing_tables(self, tables: Option<Arc<Tablebase>>) -> EngineSetup {
        EngineSetup { tables, ..self }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The network; `None` is the classical evaluation.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    pub fn tables(&self) -> Option<&Arc<Tablebase>> {
        self.tables.as_ref()
    }

    /// A new engine with threads of its own, see [`Engine::with_network`].
    pub fn engine(&self) -> Result<Engine, EngineError> {
        let engine = Engine::with_network(self.config.clone(), self.network.clone());
        Ok(self.equip(engine?))
    }

    /// A new engine that searches on the thread that asks it, see [`Engine::on_caller`].
    pub fn engine_on_caller(&self) -> Result<Engine, EngineError> {
        let engine = Engine::on_caller(self.config.clone(), self.network.clone());
        Ok(self.equip(engine?))
    }

    /// The quiescence of such an engine alone.
    pub fn quiescence(&self) -> Result<Quiescence, EngineError> {
        Quiescence::new(&self.config, self.network.clone())
    }

    /// The static evaluation of such an engine alone.
    pub fn evaluation(&self) -> Result<EvalState, NetworkError> {
        model(&self.config, self.network.clone()).map(EvalState::new)
    }

    fn equip(&self, mut engine: Engine) -> Engine {
        engine.set_tablebase(self.tables.clone());
        engine
    }

    /// What tells setups apart, see [`bench::signature`].
    pub fn signature(&self) -> Result<u64, EngineError> {
        bench::signature(&self.config, self.network.clone())
    }
}

/// The tables that `config` names; `None` if it names no folder.
pub fn open_tables(config: &Config) -> Result<Option<Arc<Tablebase>>, SyzygyError> {
    if config.syzygy.path.is_empty() {
        return Ok(None);
    }
    let backend = match config.syzygy.backend {
        SyzygyBackend::Native => Backend::Native,
        SyzygyBackend::Pyrrhic => Backend::Pyrrhic,
    };
    let options = Options {
        backend,
        verify: config.syzygy.verify,
        ..Options::default()
    };
    Tablebase::open_with(&config.syzygy.path, &options).map(|tables| Some(Arc::new(tables)))
}
