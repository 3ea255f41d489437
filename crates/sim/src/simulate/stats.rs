//! Means, quantiles and intervals. Pure.

/// A mean over seeds with its 95 % confidence interval, by Student's t distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub mean: f64,
    /// Half the width; 0 for a single value, whose spread is unknown.
    pub half: f64,
}

impl Interval {
    /// Computes the interval of independent values, one per seed. NaN (a quantile of nothing) is left out.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        if values.len() < 2 {
            return Self { mean, half: 0.0 };
        }
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self { mean, half: t_975(values.len() - 1) * (variance / n).sqrt() }
    }

    pub fn least(&self) -> f64 {
        self.mean - self.half
    }

    pub fn most(&self) -> f64 {
        self.mean + self.half
    }

    /// Returns whether zero is within the interval.
    pub fn is_tie(&self) -> bool {
        self.least() <= 0.0 && self.most() >= 0.0
    }
}

/// Returns the 97.5th percentile of Student's t distribution.
///
/// The value is exact to the printed digits up to 10 degrees of freedom (tables); beyond, it follows the expansion in 1/n of
/// Abramowitz and Stegun 26.7.5, whose error is below 0.001 there.
fn t_975(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    if let Some(value) = TABLE.get(freedom.saturating_sub(1)) {
        return *value;
    }
    let (z, n) = (1.959_963_985_f64, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / n + second / n.powi(2) + third / n.powi(3)
}

/// Rounds to six decimals, so that the figure is the same on every machine; `None` if it is not finite.
pub fn finite(value: f64) -> Option<f64> {
    value.is_finite().then(|| (value * 1e6).round() / 1e6)
}

/// Returns the quantile of sorted values by nearest rank; NaN of none.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil().max(1.0) as usize;
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

/// Returns how unevenly something is spread: 0 where all have the same, near 1 where one has everything.
pub fn gini(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let sum: f64 = sorted.iter().sum();
    if sum <= 0.0 {
        return 0.0;
    }
    let ranked: f64 = sorted.iter().enumerate().map(|(place, value)| (place as f64 + 1.0) * value).sum();
    2.0 * ranked / (n * sum) - (n + 1.0) / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_as_wide_as_students_t_says() {
        let interval = Interval::of([2.0, 4.0, 6.0, 8.0].into_iter());
        assert_eq!(interval.mean, 5.0);
        // s = 2.582, s / sqrt(4) = 1.291, times 3.182.
        assert!((interval.half - 4.108).abs() < 0.001, "{}", interval.half);
        assert!(!interval.is_tie() && Interval { mean: 0.4, half: 0.5 }.is_tie());
        assert_eq!(Interval::of([3.0].into_iter()), Interval { mean: 3.0, half: 0.0 });
        for (freedom, t) in [(1, 12.706), (10, 2.228), (11, 2.201), (19, 2.093), (29, 2.045), (99, 1.984)] {
            assert!((t_975(freedom) - t).abs() < 0.001, "{freedom}: {}", t_975(freedom));
        }
    }

    #[test]
    fn quantiles_are_values_that_occurred() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.9), quantile(&values, 0.0)), (2.0, 4.0, 1.0));
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn the_gini_is_zero_for_equal_values_and_nearly_one_if_one_has_everything() {
        assert!(gini(&[3.0, 3.0, 3.0]).abs() < 1e-12);
        assert!((gini(&[0.0, 0.0, 0.0, 8.0]) - 0.75).abs() < 1e-12);
        assert_eq!(gini(&[0.0, 0.0]), 0.0);
    }
}
