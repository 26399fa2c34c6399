//! `sextant-web`: the answers of `sextant-tb` over HTTP in lila-tablebase's form, and a page.
//!
//! One request is one path through these files: [`connections`] accepts, limits and ends
//! connections, [`guard`] refuses what no browser or client of ours sends, [`routes`] answers.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod cli;
mod connections;
mod guard;
mod openapi;
mod routes;

use std::{io, net::SocketAddr, process::ExitCode, sync::Arc, time::Duration};

use clap::Parser;
use sextant_cli::{failure::Failure, output};
use sextant_config::{Config, table_folders};
use sextant_syzygy::{Options, Tablebase};
use tokio::{
    net::{TcpListener, TcpSocket},
    runtime,
};

use cli::Cli;

/// Threads that read tables; a cold disk makes them wait, so they are more than the cores.
const READERS: usize = 32;
/// How long probes that still read tables may hold up the end.
const LAST_READS: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    output::report("sextant-web", run(&Cli::parse()))
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let tables = open(cli)?;
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(READERS)
        .build()
        .map_err(Failure::work)?;
    let served = runtime.block_on(serve(cli, tables));
    runtime.shutdown_timeout(LAST_READS);
    served
}

/// Opens the tables; a server without any has nothing to say.
fn open(cli: &Cli) -> Result<Tablebase, Failure> {
    let folders = table_folders(&cli.paths, cli.config.as_deref()).map_err(Failure::usage)?;
    let named = "name the folders of your tables with --path DIR or in SYZYGY_PATH";
    let folders = folders.ok_or_else(|| Failure::usage(format!("no tables: {named}")))?;
    let config = Config::load(cli.config.as_deref().unwrap_or("default".as_ref()));
    let options = Options {
        verify: config.map_err(Failure::usage)?.syzygy.verify,
        ..Options::default()
    };
    let tables = Tablebase::open_with(&folders, &options).map_err(Failure::usage)?;
    let complaints = tables.inventory().complaints();
    if tables.inventory().tables().next().is_none() {
        return Err(Failure::usage(complaints.join("; ")).advise(named));
    }
    for complaint in complaints {
        output::note(format_args!("sextant-web: {complaint}"));
    }
    Ok(tables)
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

async fn serve(cli: &Cli, tables: Tablebase) -> Result<(), Failure> {
    let unheard = |error| Failure::usage(format!("cannot listen on {}: {error}", cli.bind));
    let listener = listen(cli.bind).map_err(unheard)?;
    let address = listener.local_addr().map_err(unheard)?;
    let stop = connections::stop_signal().map_err(Failure::work)?;
    print_start(&tables, address)?;
    let site = guard::wrap(routes::router(Arc::new(tables)), cli, address.ip());
    connections::serve(listener, site, stop).await;
    Ok(())
}

fn print_start(tables: &Tablebase, address: SocketAddr) -> Result<(), Failure> {
    let inventory = tables.inventory();
    let (wdl, dtz, pieces) = (
        inventory.wdl_count(),
        inventory.dtz_count(),
        tables.max_men(),
    );
    output::print(format_args!(
        "sextant-web: {wdl} WDL and {dtz} DTZ tables, up to {pieces} men\n\
         Open http://{address}/ (Ctrl-C ends)\n",
    ))
}
