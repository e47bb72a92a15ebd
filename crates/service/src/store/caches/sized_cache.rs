//! A cache that holds a number of bytes. The least recently used values are dropped.

use std::hash::Hash;

use lru::LruCache;

pub(in crate::store) struct SizedCache<K: Hash + Eq, V> {
    values: LruCache<K, Entry<V>>,
    bytes: usize,
    limit: usize,
}

struct Entry<V> {
    value: V,
    bytes: usize,
}

impl<K: Hash + Eq + Clone, V> SizedCache<K, V> {
    pub(in crate::store) fn of(limit: usize) -> Self {
        Self {
            values: LruCache::unbounded(),
            bytes: 0,
            limit,
        }
    }

    /// Returns a value, which counts as a use of it.
    pub(in crate::store) fn get(&mut self, key: &K) -> Option<&mut V> {
        self.values.get_mut(key).map(|entry| &mut entry.value)
    }

    pub(in crate::store) fn peek(&self, key: &K) -> Option<&V> {
        self.values.peek(key).map(|entry| &entry.value)
    }

    /// Keeps a value; `bytes` is its size with the key, approximately.
    pub(in crate::store) fn put(&mut self, key: K, value: V, bytes: usize) {
        self.bytes += bytes;
        if let Some(old) = self.values.put(key, Entry { value, bytes }) {
            self.bytes -= old.bytes;
        }
        while self.bytes > self.limit
            && let Some((_, dropped)) = self.values.pop_lru()
        {
            self.bytes -= dropped.bytes;
        }
    }

    #[cfg(test)]
    pub(in crate::store) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.values.iter().map(|(key, entry)| (key, &entry.value))
    }

    pub(in crate::store) fn retain(&mut self, is_kept: impl Fn(&K) -> bool) {
        let keys = self.values.iter().map(|(key, _)| key);
        let dropped: Vec<K> = keys.filter(|key| !is_kept(key)).cloned().collect();
        for key in dropped {
            self.bytes -= self.values.pop(&key).map_or(0, |dropped| dropped.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SizedCache;

    #[test]
    fn the_least_recently_used_are_dropped() {
        let mut cache = SizedCache::of(100);
        for key in 0..10 {
            cache.put(key, key, 10);
        }
        assert_eq!(cache.get(&0), Some(&mut 0));
        // In the place of the value before: nothing is dropped.
        cache.put(9, 90, 10);
        cache.put(10, 10, 15);
        let kept = |cache: &SizedCache<i32, i32>| {
            let kept = (0..11).filter(|key| cache.peek(key).is_some());
            kept.collect::<Vec<_>>()
        };
        assert_eq!(kept(&cache), [0, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!((cache.bytes, cache.peek(&9)), (95, Some(&90)));
        cache.retain(|key| key % 2 == 0);
        assert_eq!(kept(&cache), [0, 4, 6, 8, 10]);
        assert_eq!(cache.bytes, 55);
        cache.put(11, 11, 101);
        assert_eq!((cache.bytes, cache.peek(&11)), (0, None));
    }
}
