//! The report as one HTML page: no script, no outside file, readable on a phone, light and dark.

use std::fmt::Write;

use sextant_cli::failure::Failure;

use super::{is_number, readable};
use crate::{
    experiment::Experiment,
    report::{Outcome, Report, Table},
};

const STYLE: &str = include_str!("report.css");

/// The whole page; `run` says how the run was made (seed, size).
pub(super) fn page(sections: &[(&Experiment, &Report)], run: &str) -> Result<String, Failure> {
    let mut contents = String::new();
    let mut body = String::new();
    for (experiment, report) in sections {
        let (name, title) = (experiment.name, escape(experiment.title));
        let badge = badge(report.outcome());
        let summary = escape(&report.summary);
        contents += &format!("<li><a href=\"#{name}\">{title}</a> {badge} {summary}</li>\n");
        body += &section(experiment, report)?;
    }
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Sextant laboratory: the sources' claims, run again</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>The sources' claims, run again</h1>\n<p class=\"run\">{}</p>\n\
         <nav>\n<h2>Abstract</h2>\n<ul>\n{contents}</ul>\n</nav>\n{body}</main>\n</body>\n</html>\n",
        escape(run)
    ))
}

/// Text that may stand in HTML and in its attributes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn badge(outcome: Outcome) -> String {
    let (words, class, _) = outcome.shown();
    format!("<span class=\"badge {class}\">{words}</span>")
}

fn section(experiment: &Experiment, report: &Report) -> Result<String, Failure> {
    let mut html = format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"claim\"><b>Claim.</b> {}</p>\n\
         <p><b>Verdict.</b> {} {}</p>\n<ul class=\"findings\">\n",
        experiment.name,
        escape(experiment.title),
        escape(experiment.claim),
        badge(report.outcome()),
        escape(&report.summary)
    );
    for finding in &report.findings {
        let mark = finding.outcome.map_or_else(String::new, badge);
        html += &format!("<li>{mark} {}</li>\n", escape(&finding.text));
    }
    html += "</ul>\n";
    for each in &report.figures {
        // Writing to a string cannot fail.
        let _ = writeln!(
            html,
            "<figure class=\"wide\">{}</figure>",
            each.to_inline_svg()?
        );
    }
    for each in &report.tables {
        html += &table(experiment.name, each);
    }
    Ok(html + "</section>\n")
}

fn table(section: &str, table: &Table) -> String {
    let (name, caption) = (&table.name, escape(&table.title));
    let mut html = format!(
        "<details id=\"{section}-{name}\">\n<summary>{caption}</summary>\n<div class=\"wide\"><table>\n\
         <thead><tr>"
    );
    for column in &table.columns {
        let _ = write!(html, "<th>{}</th>", escape(column));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        html += "<tr>";
        for cell in row {
            let class = if is_number(cell) { " class=\"n\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", escape(&readable(cell)));
        }
        html += "</tr>\n";
    }
    html + "</tbody></table></div>\n</details>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        experiments::ALL,
        report::{Finding, table},
    };

    #[test]
    fn a_page_is_complete_escaped_and_without_script() {
        let table = table!("n", "a & b", ["<script>"], |row| { "x<y" => *row });
        let report = Report {
            tables: vec![table],
            findings: vec![Finding::tested(true, "1 < 2")],
            ..Report::default()
        };
        let html = page(&[(ALL[0], &report)], "seed 1").unwrap();
        assert!(html.contains("&lt;script&gt;") && !html.contains("<script"));
        assert!(html.contains("<span class=\"badge holds\">holds</span> 1 &lt; 2"));
        assert!(!html.contains("http"), "the page must stand alone");
        assert!(html.trim_end().ends_with("</html>"));
    }
}
