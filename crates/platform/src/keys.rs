//! Keys while a secret is being replaced: the current key, and others that are still or already accepted.

use std::iter;

/// Keys for one purpose. New values are made with the current key; values made with any accepted key are valid.
#[derive(derive_more::Debug, Clone)]
// A key must not reach a log.
#[debug("KeyRing {{ accepted: {:?}, .. }}", self.accepted.len())]
pub struct KeyRing<K> {
    current: K,
    accepted: Vec<K>,
}

impl<K> KeyRing<K> {
    pub fn new(current: K, accepted: Vec<K>) -> Self {
        Self { current, accepted }
    }

    /// Returns a ring with only one key.
    pub fn alone(current: K) -> Self {
        Self::new(current, Vec::new())
    }

    /// Returns the key that new values are made with.
    pub fn current(&self) -> &K {
        &self.current
    }

    /// Returns the keys accepted beside the current one: earlier keys, and the next one.
    pub fn accepted(&self) -> &[K] {
        &self.accepted
    }

    /// Returns all keys, the current one first.
    pub fn all(&self) -> impl Iterator<Item = &K> {
        iter::once(&self.current).chain(&self.accepted)
    }

    /// Returns a ring of other keys, each made from a key of this ring.
    pub fn map<T>(&self, mut made_of: impl FnMut(&K) -> T) -> KeyRing<T> {
        KeyRing { current: made_of(&self.current), accepted: self.accepted.iter().map(made_of).collect() }
    }

    /// Returns the first answer that a key gives, asking the current key before the others.
    pub fn find<'a, T>(&'a self, says: impl FnMut(&'a K) -> Option<T>) -> Option<T> {
        self.all().find_map(says)
    }

    /// Returns whether any key fits. Every key is tried, so that the time does not tell which one fits.
    pub fn any(&self, fits: impl FnMut(&K) -> bool) -> bool {
        self.all().map(fits).fold(false, |any, one| any | one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_key_comes_first_and_every_key_is_tried() {
        let ring = KeyRing::new(3, vec![1, 2]);
        assert_eq!(ring.all().copied().collect::<Vec<_>>(), [3, 1, 2]);
        assert_eq!(ring.find(|key| (*key < 3).then_some(*key)), Some(1));
        let mut tried = Vec::new();
        assert!(ring.any(|key| {
            tried.push(*key);
            *key == 3
        }));
        assert_eq!(tried, [3, 1, 2]);
        assert!(!ring.any(|key| *key == 4));
        assert_eq!(ring.map(|key| key * 10).all().copied().collect::<Vec<_>>(), [30, 10, 20]);
        assert_eq!(format!("{ring:?}"), "KeyRing { accepted: 2, .. }");
    }
}
