/// A number as C++ jsonnet writes it: integral ones in full, others with 17 significant digits (`%.17g`).
pub(crate) fn number_text(number: f64) -> String {
    if number.fract() == 0.0 {
        return format!("{number:.0}");
    }
    let scientific = format!("{number:.16e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..17).contains(&exponent) {
        let (sign, digits) = if exponent < 0 { ('-', -exponent) } else { ('+', exponent) };
        return format!("{}e{sign}{digits:02}", without_zeros(mantissa));
    }
    let decimals = usize::try_from(16 - exponent).unwrap_or_default();
    without_zeros(&format!("{number:.decimals$}")).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_seventeen_digits() {
        for (number, text) in [
            (0.1, "0.10000000000000001"),
            (0.5, "0.5"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.33333333333333331"),
            (1e-7, "9.9999999999999995e-08"),
            (123_456_789.123_456_79, "123456789.12345679"),
            (
                1e100,
                "10000000000000000159028911097599180468360808563945281389781327557747838772170381060813469985856815104",
            ),
            (-0.0, "-0"),
            (100.0, "100"),
            (0.0001, "0.0001"),
            (0.00001, "1.0000000000000001e-05"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }
}
