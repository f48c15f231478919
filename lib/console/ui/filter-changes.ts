/** What the fields of filters change in the query of an address, or undefined if they say what stands there already. */
export function filterChanges(
  names: readonly string[],
  fields: { get: (name: string) => unknown },
  query: URLSearchParams,
): Record<string, string | undefined> | undefined {
  const values = names.map((name) => [name, String(fields.get(name) ?? '').trim()] as const);
  if (values.every(([name, value]) => value === (query.get(name) ?? ''))) return undefined;
  // Other filters, another list: its first page.
  return { ...Object.fromEntries(values), page: undefined };
}
