//! A run from its first batch, or from a checkpoint, to its network.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use sextant_cli::{
    failure::Failure,
    files::{self, Claim, FileError},
    output,
    progress::Progress as Display,
};

use super::{
    adam::Step,
    checkpoint::{self, Progress, Row, Run},
    export,
    options::Options,
    record::{Record, RecordFault},
    start,
    stream::{self, Source, Sources},
    tiles::Layout,
    trainer::{State, Trainer},
};

/// The file from which a run can go on.
const CHECKPOINT: &str = "checkpoint.sxt";
const NETWORK: &str = "net.nnue";
const TABLE: &str = "log.csv";
const CHART: &str = "loss.svg";

pub(super) struct Session {
    run: Run,
    out: PathBuf,
    _claim: Claim,
    data: Sources,
    valid: Sources,
    valid_records: Vec<Record>,
    trainer: Trainer,
}

impl Session {
    /// A run from the beginning, in a folder that holds none.
    pub(super) fn begin(options: Options, out: &Path) -> Result<Session, Failure> {
        if options.last_rate > options.rate {
            return Err(Failure::usage(format!(
                "--last-rate is {}: allowed is 0 to --rate, {}",
                options.last_rate, options.rate
            )));
        }
        let state = start::state(&options)?;
        let progress = Progress::default();
        let claim = take(out)?;
        let mut session = Session::open((Run { options, progress }, state), out, claim)?;
        let fingerprints = session.files().map(|file| file.fingerprint.clone());
        session.run.progress.fingerprints = fingerprints.collect();
        if session.run.options.refit {
            let factors = session.trainer.refit(&session.valid_records);
            let factors = session.of_valid(factors)?;
            let words: Vec<String> = factors.iter().map(|one| format!("{one:.2}")).collect();
            output::note(format_args!("outputs times {}", words.join(", ")));
        }
        let constant = session.trainer.constant_loss(&session.valid_records);
        session.run.progress.log.constant = session.of_valid(constant)?;
        Ok(session)
    }

    /// A run from its checkpoint on, with the same positions.
    pub(super) fn resume(out: &Path) -> Result<Session, Failure> {
        let path = out.join(CHECKPOINT);
        // Where there is none, nothing can be claimed either.
        files::open(&path)?;
        let claim = Claim::new(&path)?;
        let (run, state) = Run::load(&path)?;
        let architecture = run.options.architecture().map_err(Failure::usage)?;
        if state.weights.len() != Layout::of(&architecture).len() {
            let fault = "it holds another number of parameters than its network has";
            return Err(checkpoint::refused(&path, fault.to_owned()));
        }
        let session = Session::open((run, state), out, claim)?;
        let then = &session.run.progress.fingerprints;
        let changed = session.files().zip(then);
        let changed = changed.filter(|(file, then)| file.fingerprint != **then);
        if let Some(file) = changed.map(|(file, _)| file.path.display()).next() {
            let needed = "the same positions are needed to go on";
            let fault = format!("{file} is not what it was when the run began: {needed}");
            return Err(checkpoint::refused(&path, fault));
        }
        Ok(session)
    }

    fn open((run, state): (Run, State), out: &Path, claim: Claim) -> Result<Session, Failure> {
        let options = &run.options;
        let architecture = options.architecture().map_err(Failure::usage)?;
        let valid = Sources::open(&options.valid)?;
        Ok(Session {
            _claim: claim,
            out: out.to_owned(),
            data: Sources::open(&options.data)?,
            valid_records: valid.read_all()?,
            valid,
            trainer: Trainer::new(architecture, options.objective(), state, options.threads)
                .map_err(Failure::work)?,
            run,
        })
    }

    fn files(&self) -> impl Iterator<Item = &Source> {
        self.data.files.iter().chain(&self.valid.files)
    }

    /// Learns until the end or until `stop` is set; in both cases all is saved.
    pub(super) fn run(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let (all, size) = (self.run.options.batches(), self.run.options.batch);
        let display = Display::new("batches", Some(all)).starting_at(self.run.progress.batches);
        display.note(format_args!(
            "{} positions to learn from, {} to validate with; hidden layer of {}, {} superbatches = \
             {:.1} passes over the data, from batch {} on",
            self.data.records,
            self.valid_records.len(),
            self.run.options.hidden,
            self.run.options.superbatches,
            all as f64 * size as f64 / self.data.records as f64,
            self.run.progress.batches
        ));
        let seen = self.run.progress.batches * size as u64;
        let batches = stream::batches(self.data.clone(), self.run.options.seed, seen, size);
        while self.run.progress.batches < all {
            if stop.load(Ordering::Relaxed) {
                self.save()?;
                return Err(Failure::interrupted(format!(
                    "interrupted after {} of {all} batches; all is saved, `sextant-tune train \
                     --resume --out {}` goes on",
                    self.run.progress.batches,
                    self.out.display()
                )));
            }
            let batch = batches.recv();
            let ended = |_| Failure::work("the thread that reads the data has ended early");
            self.learn(&batch.map_err(ended)??)?;
            let speed = display.rate() * size as f64;
            let done = self.run.progress.batches;
            display.set(done, format_args!("{speed:.0} positions/s"));
            if done.is_multiple_of(self.run.options.superbatch) {
                self.end_superbatch(&display)?;
            }
        }
        display.finish();
        self.write_log()?;
        self.export(&display)
    }

    fn learn(&mut self, batch: &[Record]) -> Result<(), Failure> {
        let number = self.run.progress.batches;
        let rate = self.run.options.rate_at(number);
        let loss = self
            .trainer
            .learn(batch, Step::new(number, rate, self.run.options.decay))
            .map_err(|fault| self.locate(&self.data, fault))?;
        if !loss.is_finite() {
            return Err(Failure::work(format!(
                "the loss is no longer a number at batch {number}: try a lower --rate"
            )));
        }
        self.run.progress.running_loss += loss;
        self.run.progress.batches += 1;
        Ok(())
    }

    fn end_superbatch(&mut self, display: &Display) -> Result<(), Failure> {
        let valid = self.of_valid(self.trainer.mean_loss(&self.valid_records))?;
        let Run { options, progress } = &mut self.run;
        let batches = progress.batches;
        let row = Row {
            superbatch: batches / options.superbatch,
            positions: batches * options.batch as u64,
            rate: options.rate_at(batches - 1),
            train: std::mem::take(&mut progress.running_loss)
                / (options.superbatch * options.batch as u64) as f64,
            valid,
        };
        progress.log.rows.push(row);
        display.note(format_args!(
            "superbatch {:4}  rate {:.6}  training {:.6}  validation {:.6} = {:.4} of the best \
             constant's  {:.0} positions/s",
            row.superbatch,
            row.rate,
            row.train,
            row.valid,
            row.valid / progress.log.constant,
            display.rate() * options.batch as f64
        ));
        if row.superbatch.is_multiple_of(options.save_every) || batches == options.batches() {
            self.save()?;
        }
        Ok(())
    }

    fn save(&self) -> Result<(), Failure> {
        let checkpoint = self.run.to_bytes(&self.trainer.state);
        self.write(CHECKPOINT, &checkpoint)?;
        self.write_log()
    }

    /// Table and chart of what the checkpoint knows; a run that ended between the two is resumed
    /// with them.
    fn write_log(&self) -> Result<(), Failure> {
        let log = &self.run.progress.log;
        self.write(TABLE, log.csv().as_bytes())?;
        if log.rows.is_empty() {
            return Ok(());
        }
        let chart = log.chart().to_svg()?;
        self.write(CHART, chart.as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        files::write(&self.out.join(name), bytes)
            .map_err(|error| Failure::from(error).advise("what was saved before is untouched"))
    }

    fn export(&self, display: &Display) -> Result<(), Failure> {
        let outputs = self.of_valid(self.trainer.outputs(&self.valid_records))?;
        let mean = self.run.options.match_mean_abs;
        let (network, report) = export::network(&self.trainer, &outputs, mean)?;
        self.write(NETWORK, &network.to_bytes())?;
        let path = self.out.join(NETWORK);
        display.note(format_args!("{}\n{report}", path.display()));
        Ok(())
    }

    fn of_valid<T>(&self, made: Result<T, RecordFault>) -> Result<T, Failure> {
        made.map_err(|fault| self.locate(&self.valid, fault))
    }

    /// Names the first faulty record: batches are mixed and do not know where theirs came from.
    fn locate(&self, sources: &Sources, fault: RecordFault) -> Failure {
        match sources.check(&self.trainer.model.architecture) {
            Err(failure) => failure,
            Ok(()) => Failure::work(format!(
                "a damaged record ({fault}) was met, but is there no more: did the files change?"
            )),
        }
    }
}

/// Makes the folder of a new run, or takes one that holds nothing a run would replace.
fn take(out: &Path) -> Result<Claim, Failure> {
    fs::create_dir_all(out).map_err(FileError::of("write", out))?;
    // Two runs would replace each other's checkpoints.
    let claim = Claim::new(&out.join(CHECKPOINT))?;
    let own = [CHECKPOINT, NETWORK, TABLE, CHART].map(|name| out.join(name));
    match own.iter().find(|path| path.exists()) {
        Some(path) => Err(Failure::usage(format!(
            "{} is there already: --resume goes on with a run, another --out begins a new one",
            path.display()
        ))),
        None => Ok(claim),
    }
}
