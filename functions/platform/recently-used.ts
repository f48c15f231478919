/** Keeps the entries that were set last, at most `max`, so that callers cannot fill the memory. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}

/**
 * For what takes longer to make than to use, such as a format of dates: makes it once for each key of the last
 * `max`, because carriers and other callers may choose the keys.
 */
export function remembered<Key extends (string | undefined)[], Made>(
  make: (...key: Key) => Made,
  max = 200,
): (...key: Key) => Made {
  const made = new Map<string, Made>();
  return (...key) => {
    const name = key.join('\n');
    if (!made.has(name)) remember(made, name, make(...key), max);
    return made.get(name)!;
  };
}
