//! `sextant-web`: a page to play and analyze on, the engine behind it, and the answers of
//! `sextant-tb` over HTTP in lila-tablebase's form.
//!
//! One request is one path through these files: [`connections`] accepts, limits and ends
//! connections, [`guard`] refuses what no browser or client of ours sends, [`routes`] answers.
//! A page (`page/`, built into `page/dist/`) talks to [`socket`] in the messages of
//! [`sextant_view`]; [`engines`] search for it.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod cli;
mod connections;
mod engines;
mod guard;
mod openapi;
mod routes;
mod site;
mod socket;

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use clap::Parser;
use sextant_cli::{failure::Failure, files, output};
use sextant_config::{Config, table_folders};
use sextant_search::EngineSetup;
use sextant_syzygy::{Options, Tablebase};
use tokio::{
    net::{TcpListener, TcpSocket},
    runtime,
    sync::Semaphore,
};

use cli::Cli;
use engines::Engines;
use site::Site;

/// Characters of a token; 16 of `openssl rand -hex` are out of reach of guessing.
const MIN_TOKEN: usize = 16;

/// Questions to the tables at the same time; a cold disk makes them wait, so they are more than the
/// cores.
const QUESTIONS: usize = 32;
/// Threads for what else takes time: games that pages send, engines that begin.
const HELPERS: usize = 8;
/// How long probes that still read tables may hold up the end.
const LAST_READS: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    output::report("sextant-web", run(&Cli::parse()))
}

fn run(cli: &Cli) -> Result<(), Failure> {
    check_token(cli)?;
    let site = site(cli)?;
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(QUESTIONS + HELPERS)
        .build()
        .map_err(Failure::work)?;
    let served = runtime.block_on(serve(cli, site));
    runtime.shutdown_timeout(LAST_READS);
    served
}

/// An engine that others can reach is theirs to use up unless a token keeps them out.
fn check_token(cli: &Cli) -> Result<(), Failure> {
    let how = "set SEXTANT_TOKEN (or --token) to at least 16 characters, such as the output of \
               `openssl rand -hex 16`, or serve the tables alone with --engines 0";
    match &cli.token {
        Some(token) if token.chars().count() < MIN_TOKEN => {
            Err(Failure::usage("the token is too short").advise(how))
        }
        None if cli.engines > 0 && !cli.bind.ip().is_loopback() => {
            let open = format!("{} can be reached from other machines", cli.bind);
            Err(Failure::usage(open).advise(how))
        }
        _ => Ok(()),
    }
}

fn site(cli: &Cli) -> Result<Site, Failure> {
    let config = Config::load(cli.config.as_deref().unwrap_or("default".as_ref()));
    let mut config = config.map_err(Failure::usage)?;
    let tables = open(cli, config.syzygy.verify)?;
    if tables.is_none() && cli.engines == 0 {
        let nothing = "--engines 0 and no tables: there is nothing to serve";
        return Err(Failure::usage(nothing).advise("name tables by --path FOLDER or SYZYGY_PATH"));
    }
    config.engine.hash = cli.hash;
    config.engine.threads = cli.threads;
    let setup = EngineSetup::new(config, files::read_network).map_err(Failure::usage)?;
    let setup = setup.sharing_tables(tables.clone());
    Ok(Site {
        tables,
        engines: Engines::new(setup, cli.engines.into()),
        token: cli.token.clone(),
        origins: cli.cors.clone(),
        pages: Arc::new(Semaphore::new(socket::MAX_PAGES)),
        questions: Arc::new(Semaphore::new(QUESTIONS)),
    })
}

/// Opens the tables, if any folder is named.
fn open(cli: &Cli, verify: bool) -> Result<Option<Arc<Tablebase>>, Failure> {
    let folders = table_folders(&cli.paths, cli.config.as_deref()).map_err(Failure::usage)?;
    let Some(folders) = folders else {
        return Ok(None);
    };
    let options = Options {
        verify,
        ..Options::default()
    };
    let tables = Tablebase::open_with(&folders, &options).map_err(Failure::usage)?;
    let complaints = tables.inventory().complaints();
    if tables.inventory().tables().next().is_none() {
        let named = "name the folders of your tables with --path DIR or in SYZYGY_PATH";
        return Err(Failure::usage(complaints.join("; ")).advise(named));
    }
    for complaint in complaints {
        output::note(format_args!("sextant-web: {complaint}"));
    }
    Ok(Some(Arc::new(tables)))
}

/// Connections that wait to be accepted; of more the system drops the first packet, and their
/// clients try again after a second.
const BACKLOG: u32 = 4096;

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // As the standard library does where an address in TIME_WAIT cannot be taken over by others.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn serve(cli: &Cli, site: Site) -> Result<(), Failure> {
    let unheard = |error| Failure::usage(format!("cannot listen on {}: {error}", cli.bind));
    let listener = listen(cli.bind).map_err(unheard)?;
    let address = listener.local_addr().map_err(unheard)?;
    let stop = connections::stop_signal().map_err(Failure::work)?;
    print_start(&site, cli, address)?;
    let site = guard::wrap(routes::router(Arc::new(site)), cli, address.ip());
    connections::serve(listener, site, stop).await;
    Ok(())
}

/// What a browser on this machine can ask of a server that listens there.
fn openable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        named => named,
    }
}

fn print_start(site: &Site, cli: &Cli, address: SocketAddr) -> Result<(), Failure> {
    let tables = site.tables.as_deref().map_or_else(
        || "no tables (--path DIR)".to_owned(),
        |tables| {
            let (inventory, men) = (tables.inventory(), tables.max_men());
            let (wdl, dtz) = (inventory.wdl_count(), inventory.dtz_count());
            format!("{wdl} WDL and {dtz} DTZ tables, up to {men} men")
        },
    );
    let page = SocketAddr::new(openable(address.ip()), address.port());
    let others = if address.ip().is_unspecified() {
        "from other machines by the name or address of this one; "
    } else {
        ""
    };
    let token = site
        .token
        .as_ref()
        .map_or("", |_| "; the page asks for the token");
    output::print(format_args!(
        "sextant-web: {} of {} MB, {tables}{token}\nOpen http://{page}/ ({others}Ctrl-C ends)\n",
        output::counted(cli.engines.into(), "engine"),
        cli.hash,
    ))
}
