use std::ops::RangeInclusive;

/// Whether the rule holds, and the message if it does not.
pub(super) type Rule = (bool, &'static str);

/// Returns whether the value is in the range; false for NaN, too.
pub(super) fn within<T: PartialOrd>(value: T, range: RangeInclusive<T>) -> bool {
    range.contains(&value)
}
