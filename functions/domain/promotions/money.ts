/** No currency has more, and the table takes no number however small. */
export const roundToFourDecimals = <T extends number | null>(amount: T): T =>
  (amount === null ? null : Number(amount.toFixed(4))) as T;
