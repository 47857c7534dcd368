/// What a chart may come to. The first two are Helm's, the others keep hostile archives and folders from exhausting
/// whoever loads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes an archive may unpack to.
    pub archive_bytes: usize,
    /// How many bytes a file may have.
    pub file_bytes: usize,
    /// How many files a chart may have, its subcharts and their archives counted.
    pub files: usize,
    /// How many bytes all files of a chart may have together, archives within archives counted.
    pub total_bytes: usize,
    /// How deep folders may lie within each other.
    pub folder_depth: usize,
    /// How deep charts may lie within each other.
    pub chart_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            archive_bytes: 100 << 20,
            file_bytes: 5 << 20,
            files: 100_000,
            total_bytes: 1 << 30,
            folder_depth: 128,
            chart_depth: 32,
        }
    }
}
