//! The text of a PGN file, whatever its encoding.

/// The text of a file: UTF-8 or, with its mark, UTF-16. A line that is not UTF-8 is Windows-1252,
/// which holds Latin-1. Every line ends with `\n`.
pub fn decode_pgn(bytes: &[u8]) -> String {
    let wide = |join: fn([u8; 2]) -> u16| {
        let units = bytes[2..].as_chunks().0.iter();
        let units: Vec<u16> = units.map(|&pair| join(pair)).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            lines.fold(String::with_capacity(bytes.len()), |mut text, line| {
                match std::str::from_utf8(line) {
                    Ok(line) => text.push_str(line),
                    Err(_) => text.extend(line.iter().map(|&byte| windows_1252(byte))),
                }
                text
            })
        }
    };
    if text.contains('\r') {
        return text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text
}

fn windows_1252(byte: u8) -> char {
    const UPPER: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let upper = byte
        .checked_sub(0x80)
        .and_then(|at| UPPER.chars().nth(at.into()));
    upper.unwrap_or_else(|| char::from(byte))
}
