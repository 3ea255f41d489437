//! Keys while a secret is replaced: the one in use, and those that are accepted beside it.

use std::{fmt, iter};

/// Keys of one purpose. What is new is made with the one in use; what was made with any of them is good.
#[derive(Clone)]
pub struct KeyRing<K> {
    current: K,
    accepted: Vec<K>,
}

impl<K> fmt::Debug for KeyRing<K> {
    // What a key is must not reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing").field("accepted", &self.accepted.len()).finish_non_exhaustive()
    }
}

impl<K> KeyRing<K> {
    pub fn new(current: K, accepted: Vec<K>) -> Self {
        Self { current, accepted }
    }

    /// The one key there is.
    pub fn alone(current: K) -> Self {
        Self::new(current, Vec::new())
    }

    /// What new things are made with.
    pub fn current(&self) -> &K {
        &self.current
    }

    /// Accepted beside the one in use: earlier keys, and the next one.
    pub fn accepted(&self) -> &[K] {
        &self.accepted
    }

    /// All of them, the one in use first.
    pub fn all(&self) -> impl Iterator<Item = &K> {
        iter::once(&self.current).chain(&self.accepted)
    }

    /// The same ring of other keys, each made of one of these.
    pub fn map<T>(&self, mut made_of: impl FnMut(&K) -> T) -> KeyRing<T> {
        KeyRing { current: made_of(&self.current), accepted: self.accepted.iter().map(made_of).collect() }
    }

    /// What the first key says that knows something, the one in use before the others.
    pub fn find<'a, T>(&'a self, says: impl FnMut(&'a K) -> Option<T>) -> Option<T> {
        self.all().find_map(says)
    }

    /// Whether any key fits. Each is tried, so that the time does not tell which one does.
    pub fn any(&self, fits: impl FnMut(&K) -> bool) -> bool {
        self.all().map(fits).fold(false, |any, one| any | one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_in_use_comes_first_and_every_key_is_tried() {
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
