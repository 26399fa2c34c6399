//! The report in headless Chromium, where one is installed: every figure is drawn, nothing is wider
//! than a phone, dark is dark, and nothing is complained about.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page that loads the report in a frame as wide as a phone and measures it.
const DRIVER: &str = r##"<!DOCTYPE html><meta charset="utf-8"><pre id="log"></pre>
<script>
const log = (text) => document.getElementById("log").textContent += text + "\n";
window.onerror = (message) => log("error: " + message);
const measure = (frame) => {
  const page = frame.contentDocument;
  const drawn = (figure) => {
    const svg = figure.querySelector("svg");
    if (!svg) return false;
    const box = svg.getBoundingClientRect();
    return box.width > 100 && box.height > 60 && svg.querySelectorAll("polyline, circle, text").length > 3;
  };
  const figures = [...page.querySelectorAll("figure")];
  const missing = figures.filter((figure) => !drawn(figure)).map((figure) => figure.innerText.slice(0, 60));
  log("figures " + figures.length + " missing [" + missing.join("; ") + "]");
  log("sections " + page.querySelectorAll("section").length + " scripts " + page.scripts.length);
  log("too wide by " + Math.max(0, page.documentElement.scrollWidth - page.documentElement.clientWidth));
  const brightness = getComputedStyle(page.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0);
  log(brightness > 380 ? "light ground" : "dark ground");
  log("done");
};
</script>
<iframe src="index.html" width="360" height="700" onload="measure(this)"></iframe>"##;

fn chromium() -> Option<&'static str> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find(runs)
        .copied()
}

/// What the driver logged, and what the browser said of the page's code.
fn measured(chromium: &str, folder: &Path, scheme: &str) -> (String, String) {
    let output = Command::new(chromium)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
        .args(["--disable-dev-shm-usage", "--allow-file-access-from-files"])
        .args(["--window-size=900,1000", "--virtual-time-budget=20000"])
        .args(["--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("file://{}/driver.html", folder.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let log = dom
        .split("<pre id=\"log\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next());
    let log = log.unwrap_or_else(|| panic!("no log in {dom}")).to_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    let console = said.lines().filter(|line| line.contains("CONSOLE"));
    (log, console.collect::<Vec<_>>().join("\n"))
}

/// A report of the experiments with every kind of figure.
fn report() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    let _ = fs::remove_dir_all(&folder);
    let names = ["minimal-tree", "negamax", "sex-algorithm"];
    let status = Command::new(env!("CARGO_BIN_EXE_sextant-lab"))
        .arg("run")
        .args(names)
        .args(["--quick", "--out"])
        .arg(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    fs::write(folder.join("driver.html"), DRIVER).unwrap();
    folder
}

#[test]
fn the_page_is_whole_on_a_phone_light_and_dark() {
    let Some(chromium) = chromium() else {
        println!("skipped: no chromium installed");
        return;
    };
    let folder = report();
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    let figures = page.matches("<figure").count();
    for (scheme, ground) in [("1", "light ground"), ("0", "dark ground")] {
        let (log, console) = measured(chromium, &folder, scheme);
        for part in [
            &format!("figures {figures} missing []"),
            "sections 3 scripts 0",
            "too wide by 0\n",
            ground,
            "done",
        ] {
            assert!(log.contains(part), "{part} in:\n{log}");
        }
        assert!(!log.contains("error"), "{log}");
        assert_eq!(console, "");
    }
}
