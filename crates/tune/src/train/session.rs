//! A run from its first batch, or from a checkpoint, to its network.

use std::{
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, sync_channel},
    },
};

use sextant::whole_file::Claim;

use super::{
    chart,
    checkpoint::{Checkpoint, Progress, write_whole},
    display::Display,
    error::{CheckpointFault, RecordFault, TrainError},
    export, fingerprint,
    folder::{self, CHECKPOINT, NETWORK, PICTURE, TABLE},
    log::Row,
    options::Options,
    record::{Record, Sample},
    start,
    stream::{Sources, Stream},
    trainer::{State, Trainer},
};

/// A run and its folder.
pub(super) struct Session {
    options: Options,
    out: PathBuf,
    _claim: Claim,
    data: Sources,
    valid: Sources,
    valid_records: Vec<Record>,
    trainer: Trainer,
    progress: Progress,
}

impl Session {
    /// A run from the beginning.
    ///
    /// # Errors
    /// When the options or the files do not do, or the folder holds a run already.
    pub(super) fn begin(options: Options, out: &Path) -> Result<Session, TrainError> {
        options.check()?;
        let state = State::new(start::weights(&options)?);
        let claim = folder::take(out)?;
        let mut session = Session::open(options, out, claim, state, Progress::default())?;
        session.progress.data_records = session.data.lengths();
        session.progress.fingerprints = fingerprint::of_all(&session.options)?;
        session.progress.log.constant = session.constant_loss()?;
        Ok(session)
    }

    /// A run from its checkpoint on.
    ///
    /// # Errors
    /// When the checkpoint or the files do not do, or the files are not those of the checkpoint.
    pub(super) fn resume(out: &Path) -> Result<Session, TrainError> {
        let path = out.join(CHECKPOINT);
        let claim = folder::claim(out)?;
        let saved = Checkpoint::load(&path)?;
        saved.options.check()?;
        let session = Session::open(saved.options, out, claim, saved.state, saved.progress)?;
        let fault = if let Some(file) = session.changed_file()? {
            CheckpointFault::OtherData { file }
        } else if session.trainer.state.weights.len() != session.trainer.shape.len() {
            CheckpointFault::OtherShape
        } else {
            return Ok(session);
        };
        Err(TrainError::Checkpoint { path, fault })
    }

    /// A file of positions that is not what it was when the run began.
    fn changed_file(&self) -> Result<Option<PathBuf>, TrainError> {
        let then = &self.progress;
        let mut differs: Vec<bool> = different(&self.data.lengths(), &then.data_records);
        // Checkpoints from before 2026-11-23 know nothing else.
        if !then.fingerprints.is_empty() {
            differs = different(&fingerprint::of_all(&self.options)?, &then.fingerprints);
        }
        let mut files = fingerprint::files(&self.options).zip(differs);
        Ok(files.find(|file| file.1).map(|(path, _)| path.clone()))
    }

    fn open(
        options: Options,
        out: &Path,
        claim: Claim,
        state: State,
        progress: Progress,
    ) -> Result<Session, TrainError> {
        let data = Sources::open(&options.data)?;
        let valid = Sources::open(&options.valid)?;
        let architecture = options.architecture()?;
        let objective = options.objective();
        Ok(Session {
            valid_records: valid.read_all()?,
            trainer: Trainer::new(architecture, objective, state, options.threads),
            _claim: claim,
            out: out.to_owned(),
            options,
            data,
            valid,
            progress,
        })
    }

    /// Learns until the end or until `stop` is set; in both cases all is saved.
    ///
    /// # Errors
    /// When a file fails, the loss is no number any more, or the run was interrupted.
    pub(super) fn run(&mut self, stop: &AtomicBool) -> Result<(), TrainError> {
        let all = self.options.batches();
        let display = Display::new(self.progress.batches, all, self.options.batch as u64);
        display.begin(&self.options, self.data.records(), self.valid_records.len());
        let seen = self.progress.batches * self.options.batch as u64;
        let mut groups = Groups::after(Stream::after(self.data.clone(), self.options.seed, seen));
        let mut batch = Vec::with_capacity(self.options.batch);
        while self.progress.batches < all {
            if stop.load(Ordering::Relaxed) {
                self.save()?;
                return Err(TrainError::Interrupted {
                    batches: self.progress.batches,
                    all,
                    out: self.out.clone(),
                });
            }
            groups.fill(&mut batch, self.options.batch)?;
            self.learn(&batch)?;
            display.batch(self.progress.batches);
            if self
                .progress
                .batches
                .is_multiple_of(self.options.superbatch)
            {
                self.end_superbatch(&display)?;
            }
        }
        display.end();
        self.export(&display)
    }

    fn learn(&mut self, batch: &[Record]) -> Result<(), TrainError> {
        let number = self.progress.batches;
        let rate = self.options.schedule().at(number);
        let loss = self
            .trainer
            .learn(batch, number, rate, self.options.decay)
            .map_err(|fault| self.locate(&self.data, fault))?;
        if !loss.is_finite() {
            return Err(TrainError::Diverged { batch: number });
        }
        self.progress.running_loss += loss;
        self.progress.batches += 1;
        Ok(())
    }

    fn end_superbatch(&mut self, display: &Display) -> Result<(), TrainError> {
        let Options {
            batch,
            superbatch,
            save_every,
            ..
        } = self.options;
        let batches = self.progress.batches;
        let valid = self
            .trainer
            .mean_loss(&self.valid_records)
            .map_err(|fault| self.locate(&self.valid, fault))?;
        let row = Row {
            superbatch: batches / superbatch,
            positions: batches * batch as u64,
            rate: self.options.schedule().at(batches - 1),
            train: std::mem::take(&mut self.progress.running_loss)
                / (superbatch * batch as u64) as f64,
            valid,
        };
        self.progress.log.rows.push(row);
        display.superbatch(&row, self.progress.log.constant);
        if row.superbatch.is_multiple_of(save_every) || batches == self.options.batches() {
            self.save()?;
        }
        Ok(())
    }

    fn save(&self) -> Result<(), TrainError> {
        let checkpoint = Checkpoint {
            options: self.options.clone(),
            progress: self.progress.clone(),
            state: self.trainer.state.clone(),
        };
        checkpoint.save(&self.out.join(CHECKPOINT))?;
        let log = &self.progress.log;
        write_whole(&self.out.join(TABLE), log.csv().as_bytes())?;
        let picture = chart::draw(log).map_err(TrainError::Drawing)?;
        write_whole(&self.out.join(PICTURE), picture.as_bytes())
    }

    fn export(&self, display: &Display) -> Result<(), TrainError> {
        let outputs = self
            .trainer
            .outputs(&self.valid_records)
            .map_err(|fault| self.locate(&self.valid, fault))?;
        let mean = self.options.match_mean_abs;
        let (network, report) = export::network(&self.trainer, &outputs, mean)?;
        let path = self.out.join(NETWORK);
        write_whole(&path, &network.to_bytes())?;
        display.exported(&path, &report);
        Ok(())
    }

    fn constant_loss(&self) -> Result<f64, TrainError> {
        let objective = self.options.objective();
        let target = |record: &Record| {
            let sample = Sample::read(record, &self.trainer.architecture)?;
            Ok(objective.target(sample.score, sample.result))
        };
        let targets: Result<Vec<f32>, RecordFault> =
            self.valid_records.iter().map(target).collect();
        let targets = targets.map_err(|fault| self.locate(&self.valid, fault))?;
        Ok(objective.best_constant(&targets))
    }

    /// Finds the first faulty record: batches are mixed and do not know where theirs came from.
    fn locate(&self, sources: &Sources, fault: RecordFault) -> TrainError {
        sources
            .first_fault(&self.trainer.architecture)
            .unwrap_or(TrainError::FaultGone(fault))
    }
}

fn different<T: PartialEq>(now: &[T], then: &[T]) -> Vec<bool> {
    let pairs = now.iter().zip(then);
    pairs.map(|(now, then)| now != then).collect()
}

/// Groups of records, read and mixed on a thread of their own while the last ones are learnt.
struct Groups {
    receiver: Receiver<Result<Vec<Record>, TrainError>>,
    group: Vec<Record>,
    /// Records of the group that were handed out.
    used: usize,
}

impl Groups {
    fn after(stream: Stream) -> Groups {
        let (sender, receiver) = sync_channel(1);
        std::thread::spawn(move || {
            for group in stream {
                // The run is over.
                if sender.send(group).is_err() {
                    break;
                }
            }
        });
        Groups {
            receiver,
            group: Vec::new(),
            used: 0,
        }
    }

    /// Replaces the contents of `batch` by the next `size` records.
    fn fill(&mut self, batch: &mut Vec<Record>, size: usize) -> Result<(), TrainError> {
        batch.clear();
        while batch.len() < size {
            if self.used == self.group.len() {
                self.group = self.receiver.recv().map_err(|_| TrainError::ReaderGone)??;
                self.used = 0;
            }
            let left = &self.group[self.used..];
            let taken = left.len().min(size - batch.len());
            batch.extend_from_slice(&left[..taken]);
            self.used += taken;
        }
        Ok(())
    }
}
