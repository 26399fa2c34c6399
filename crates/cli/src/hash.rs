//! Tells files apart and finds damage, not malice.

use std::hash::Hasher as _;

use fnv::FnvHasher;

/// FNV-1a (Fowler, Noll and Vo), whose values stand in files: they are the same with every version.
pub fn fnv(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// A hash as files and messages show it.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
