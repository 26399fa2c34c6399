//! The report as one HTML page: no script, no outside file, readable on a phone, light and dark.

use std::fmt::Write;

use super::{is_number, readable, svg};
use crate::error::LabError;
use crate::report::{Figure, Outcome, Report, Stroke, Table};

const STYLE: &str = include_str!("report.css");

/// The line by which a page of ours is known.
pub(super) const TITLE: &str = "<title>Sextant laboratory: the sources' claims, run again</title>";

/// One experiment's part of the page.
pub struct Section<'a> {
    /// Name on the command line.
    pub name: &'a str,
    /// Headline.
    pub title: &'a str,
    /// The source's claim.
    pub claim: &'a str,
    /// The result.
    pub report: &'a Report,
}

/// The whole page; `run` says how the run was made (seed, size).
///
/// # Errors
/// When a figure cannot be drawn.
pub fn page(sections: &[Section<'_>], run: &str) -> Result<String, LabError> {
    let mut html =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    let _ = write!(
        html,
        "{TITLE}\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    html.push_str("<h1>The sources' claims, run again</h1>\n");
    let _ = writeln!(html, "<p class=\"run\">{}</p>", escape(run));
    html.push_str(&contents(sections));
    for section in sections {
        html.push_str(&section_html(section)?);
    }
    html.push_str("</main>\n</body>\n</html>\n");
    Ok(html)
}

/// Text that may stand in HTML and in its attributes.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn contents(sections: &[Section<'_>]) -> String {
    let mut html = String::from("<nav><ul>\n");
    for section in sections {
        let _ = writeln!(
            html,
            "<li><a href=\"#{}\">{}</a> {}</li>",
            section.name,
            escape(section.title),
            badge(section.report.verdict.outcome)
        );
    }
    html.push_str("</ul></nav>\n");
    html
}

fn badge(outcome: Outcome) -> String {
    let class = match outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsInPart => "partly",
        Outcome::Fails => "fails",
        Outcome::Undecided | Outcome::Untested => "open",
    };
    format!("<span class=\"badge {class}\">{}</span>", outcome.words())
}

fn section_html(section: &Section<'_>) -> Result<String, LabError> {
    let verdict = &section.report.verdict;
    let mut html = format!("<section id=\"{}\">\n", section.name);
    let _ = writeln!(html, "<h2>{}</h2>", escape(section.title));
    let _ = writeln!(
        html,
        "<p class=\"claim\"><b>Claim.</b> {}</p>",
        escape(section.claim)
    );
    let _ = writeln!(
        html,
        "<p><b>Verdict.</b> {} {}</p>\n<ul class=\"findings\">",
        badge(verdict.outcome),
        escape(&verdict.summary)
    );
    for finding in &verdict.findings {
        let _ = writeln!(
            html,
            "<li>{} {}</li>",
            finding.outcome.map_or_else(String::new, badge),
            escape(&finding.text)
        );
    }
    html.push_str("</ul>\n");
    for each in &section.report.figures {
        html.push_str(&figure(each)?);
    }
    for each in &section.report.tables {
        html.push_str(&table(section.name, each));
    }
    html.push_str("</section>\n");
    Ok(html)
}

fn figure(figure: &Figure) -> Result<String, LabError> {
    let drawn = svg::draw(figure)?;
    let (title, legend) = match figure {
        Figure::Chart(chart) => {
            let entries = chart.series.iter().enumerate().map(|(index, series)| {
                let sign = match series.stroke {
                    Stroke::Solid => "&#9473;&#9473;",
                    Stroke::Dashed => "&#9476;&#9476;",
                    Stroke::Dots => "&#9679;",
                };
                let colour = svg::colour(index);
                format!(
                    "<span><i style=\"color:{colour}\">{sign}</i> {}</span>",
                    escape(&series.label)
                )
            });
            (&chart.title, entries.collect::<String>())
        }
        Figure::Tree(tree) => (&tree.title, String::new()),
    };
    let class = if matches!(figure, Figure::Tree(_)) {
        " class=\"tree\""
    } else {
        ""
    };
    Ok(format!(
        "<figure{class}>\n<figcaption>{}</figcaption>\n<div class=\"picture\">{drawn}</div>\n\
         <div class=\"legend\">{legend}</div>\n</figure>\n",
        escape(title)
    ))
}

fn table(section: &str, table: &Table) -> String {
    let mut html = format!(
        "<div class=\"wide\"><table id=\"{section}-{}\">\n",
        table.name
    );
    let _ = write!(
        html,
        "<caption>{}</caption>\n<thead><tr>",
        escape(&table.title)
    );
    for column in &table.columns {
        let _ = write!(html, "<th>{}</th>", escape(column));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for cell in row {
            let class = if is_number(cell) { " class=\"n\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", escape(&readable(cell)));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Finding, Verdict};

    #[test]
    fn a_page_is_complete_escaped_and_without_script() {
        let mut numbers = Table::new("n", "a & b", &["x<y"]);
        numbers.row(["<script>".into()]);
        let verdict = Verdict::of("So it is.".to_owned(), vec![Finding::tested(true, "1 < 2")]);
        let report = Report {
            tables: vec![numbers],
            figures: Vec::new(),
            verdict,
        };
        let section = Section {
            name: "one",
            title: "One",
            claim: "\"1\"",
            report: &report,
        };
        let html = page(&[section], "seed 1").unwrap();
        assert!(html.contains("&lt;script&gt;") && !html.contains("<script"));
        assert!(html.contains("<span class=\"badge holds\">holds</span> 1 &lt; 2"));
        assert!(!html.contains("http"), "the page must stand alone");
        assert!(html.trim_end().ends_with("</html>"));
    }
}
