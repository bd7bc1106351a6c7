/** What `make` makes of an object, made once for each and kept as long as that. */
export function keptFor<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const kept = new WeakMap<Key, Made>()
  return (key) => {
    const made = kept.get(key) ?? make(key)
    kept.set(key, made)
    return made
  }
}
