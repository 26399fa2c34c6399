use sextant_config::Config;
fn main() {
    let config = Config::load(&std::env::args().nth(2).unwrap_or("default".into())).unwrap();
    let d = std::env::args().nth(1).and_then(|d| d.parse().ok());
    let r = sextant_search::bench::run(d, &config, &mut |n, of, nodes| println!("{n}/{of} {nodes}")).unwrap();
    println!("{} nodes {} nps", r.nodes, r.nps());
}
