/**
 * The identifiers a function reports as failed. Undefined: the whole batch failed, because the answer is malformed or
 * names nothing of the batch (AWS's rule).
 */
export function reportedFailures(result: unknown, known: ReadonlySet<string>): Set<string> | undefined {
  if (result === null || result === undefined) return new Set();
  if (typeof result !== 'object') return undefined;
  const { batchItemFailures = [] } = result as { batchItemFailures?: unknown };
  if (batchItemFailures === null) return new Set();
  if (!Array.isArray(batchItemFailures)) return undefined;
  const failed = new Set<string>();
  for (const item of batchItemFailures as { itemIdentifier?: unknown }[]) {
    const identifier = item?.itemIdentifier;
    if (typeof identifier !== 'string' || !known.has(identifier)) return undefined;
    failed.add(identifier);
  }
  return failed;
}
