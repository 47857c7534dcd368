const BLANKS: &str = "                                                                ";

/// Appends so many blanks.
pub(crate) fn push_blanks(out: &mut String, mut count: usize) {
    while count > BLANKS.len() {
        out.push_str(BLANKS);
        count -= BLANKS.len();
    }
    out.push_str(&BLANKS[..count]);
}
