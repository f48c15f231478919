/** Names of fields: a type that a name is missing from, or that does not know one, does not compile. */
export type FieldNames<K extends PropertyKey> = Readonly<Record<K, true>>;

/** The named fields of an object, those that it has. */
export function pick<T extends object, K extends keyof T>(from: T, names: FieldNames<K>): Pick<T, K> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name))) as Pick<T, K>;
}
