/** Field names as an object, so a missing or an unknown name does not compile. */
export type FieldNames<K extends PropertyKey> = Readonly<Record<K, true>>;

/** The named fields of an object that exist. */
export function pick<T extends object, K extends keyof T>(from: T, names: FieldNames<K>): Pick<T, K> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name))) as Pick<T, K>;
}
