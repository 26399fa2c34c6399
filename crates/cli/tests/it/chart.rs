//! What stands in a drawn chart.

use sextant_cli::chart::{Axis, Chart, Series, Style, color};

fn chart(points: Vec<(f64, f64)>) -> Chart {
    Chart {
        title: "a < \"b\"".to_owned(),
        x: Axis::linear("depth"),
        y: Axis::log("nodes"),
        series: vec![
            Series::new("lines", Style::Line, points.clone()),
            Series::new("dashes", Style::Dashed, points.clone()),
            Series::new("dots", Style::Dots, points),
        ],
    }
}

#[test]
fn a_file_has_title_axes_and_legend() {
    let svg = chart(vec![(1.0, 10.0), (2.0, 1e6), (3.0, 0.0)])
        .to_svg()
        .unwrap();
    for text in [
        "a &lt; ", "depth", "nodes", "lines", "dashes", "dots", "100k",
    ] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    assert!(svg.contains("#FFFFFF") && svg.contains("#000000"));
    assert_eq!(
        svg.matches("<circle").count(),
        2 + 1,
        "two dots and the legend's"
    );
}

#[test]
fn an_inline_chart_follows_the_page() {
    let svg = chart(vec![(1.0, 10.0), (2.0, 1e6)])
        .to_inline_svg()
        .unwrap();
    let start = "<svg role=\"img\" aria-label=\"a &lt; &quot;b&quot;\"";
    assert!(svg.starts_with(start), "{svg}");
    assert!(svg.contains("currentColor") && !svg.contains("\"#000000\""));
    assert!(!svg.contains("#FFFFFF") && !svg.contains("dashes"));
}

#[test]
fn a_chart_without_points_is_an_error_that_names_it() {
    for points in [vec![], vec![(1.0, 0.0)], vec![(f64::NAN, 1.0)]] {
        let error = chart(points).to_svg().unwrap_err().to_string();
        assert_eq!(error, "cannot draw \"a < \"b\"\": it has no points");
    }
    assert!(chart(vec![(1.0, 1.0)]).to_svg().is_ok(), "one is enough");
}

#[test]
fn points_beyond_an_axis_are_cut_off() {
    let chart = Chart {
        y: Axis::linear("").between(0.0, 2.5),
        ..chart(vec![(1.0, 2.0), (2.0, 3.0)])
    };
    let svg = chart.to_svg().unwrap();
    let has = |mark: &str| svg.contains(&format!(">\n{mark}\n<"));
    assert!(has("2.5") && !has("3"), "{svg}");
}

#[test]
fn a_long_legend_gets_room_and_colors_do_not_repeat() {
    let series = |count: usize| {
        let one = |n| Series::new(format!("parameter {n}"), Style::Line, vec![(0.0, 1.0)]);
        Chart {
            series: (0..count).map(one).collect(),
            ..chart(Vec::new())
        }
    };
    let height = |chart: &Chart| {
        let svg = chart.to_svg().unwrap();
        let height = svg.split("height=\"").nth(1).unwrap();
        height.split('"').next().unwrap().parse::<u32>().unwrap()
    };
    assert!(height(&series(100)) > 1600);
    assert_eq!(height(&series(3)), height(&series(1)));
    let colors = (0..100).map(|index| color(index, 100));
    assert_eq!(colors.collect::<std::collections::HashSet<_>>().len(), 100);
    assert_eq!(color(0, 6), "#2f7ed0");
}
