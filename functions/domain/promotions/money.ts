/** No currency has more decimals, and DynamoDB does not store arbitrarily small numbers. */
export const roundToFourDecimals = <T extends number | null>(amount: T): T =>
  (amount === null ? null : Number(amount.toFixed(4))) as T;
