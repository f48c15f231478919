/** A value as DynamoDB sends it. Bytes are base64 text, as Lambda passes them to a reader of the stream. */
type WireValue = { S: string } | { N: string } | { B: string } | { BOOL: boolean } | { NULL: true } | { M: Wire };

export type Wire = Record<string, WireValue>;

/** The SDK's own function takes bytes as they are, and many times longer. */
export const wireOf = (item: object): Wire =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, wireValue(value)]])),
  );

function wireValue(value: unknown): WireValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  return { M: wireOf(value as object) };
}
