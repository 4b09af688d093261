//! Tables of text for people.

/// Rows as lines with aligned columns, the first `texts` to the left, the others to the right.
pub(super) fn lines(texts: usize, head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |text: &str| text.chars().count();
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell));
        cells.chain([width(head[column])]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..head.len()).map(widest).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            line += &if column < texts { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") };
        }
        line.trim_end().to_owned()
    };
    let head = line(&mut head.iter().copied());
    let rows = rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
    [head].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["keep 3 3".to_owned(), "9.50".to_owned()], vec!["x".to_owned(), "10.25".to_owned()]];
        assert_eq!(
            lines(1, &["action", "value"], &rows),
            "  action    value\n  keep 3 3   9.50\n  x         10.25"
        );
    }
}
