/**
 * The identifiers that a function reports as failed. Undefined if the whole batch failed: the response is malformed or
 * names an identifier that is not in the batch (a rule of AWS).
 */
export function reportedFailures(result: unknown, batchIds: ReadonlySet<string>): Set<string> | undefined {
  if (result === null || result === undefined) return new Set();
  if (typeof result !== 'object') return undefined;
  const { batchItemFailures = [] } = result as { batchItemFailures?: unknown };
  if (batchItemFailures === null) return new Set();
  if (!Array.isArray(batchItemFailures)) return undefined;
  const failed = new Set<string>();
  for (const item of batchItemFailures as { itemIdentifier?: unknown }[]) {
    const identifier = item?.itemIdentifier;
    if (typeof identifier !== 'string' || !batchIds.has(identifier)) return undefined;
    failed.add(identifier);
  }
  return failed;
}
