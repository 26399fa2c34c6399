//! A run that is killed loses one experiment at most.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn lab(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-lab"));
    command
        .args(["run", "minimal-tree", "negamax", "--quick", "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

#[test]
fn what_was_finished_before_a_kill_is_on_the_page_and_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = lab(dir.path()).spawn().unwrap();
    let finished = dir.path().join("finished/minimal-tree.json");
    let page = dir.path().join("index.html");
    let start = Instant::now();
    while !(finished.exists() && page.exists()) {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing came of it"
        );
        sleep(Duration::from_millis(5));
    }
    // The second experiment is under way, or on a fast machine done: both are fine.
    child.kill().unwrap();
    child.wait().unwrap();
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("id=\"minimal-tree\"") && html.ends_with("</html>\n"));
    assert!(dir.path().join("tables/minimal-tree-wiki.csv").exists());
    let resumed = lab(dir.path()).arg("--resume").output().unwrap();
    assert!(resumed.status.success());
    let said = String::from_utf8_lossy(&resumed.stderr);
    assert!(said.contains("minimal-tree: kept from before"), "{said}");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("id=\"minimal-tree\"") && html.contains("id=\"negamax\""));
}
