/** What every list takes, and what is looked up by key. */
const notFields = new Set(['page', 'per_page', 'uuid']);

/** Whether each filter of a query equals the field of its name; undefined where there is nothing to filter by. */
export function equalsOf<T extends object>(query: Record<string, unknown>): ((record: T) => boolean) | undefined {
  const wanted = Object.entries(query).filter(([name, value]) => value !== undefined && !notFields.has(name));
  if (wanted.length === 0) return undefined;
  return (record) => wanted.every(([name, value]) => record[name as keyof T] === value);
}
