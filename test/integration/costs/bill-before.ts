import type { Side } from './bill-table.ts';

/**
 * What an order used before documents were packed with a dictionary and counts came in large batches, by the same
 * measurement. The counts function waited two seconds, and got three records at once.
 */
export const before: Side = {
  order: {
    writeUnits: { api: 45, ingest: 28, 'fan-out': 16, delivery: 5, due: 0, counts: 26 },
    readUnits: { api: 9, ingest: 13.5, 'fan-out': 37, delivery: 20, due: 0, counts: 4 },
    invocations: { api: 2, ingest: 3, 'fan-out': 5, delivery: 5, due: 0, counts: 4 },
    sqsRequests: 25,
    storedBytes: 25_360,
  },
  assumptions: { logBytes: 1500, kmsRequests: 0.05, methodsWithMetrics: 163, alarmMetrics: 40, privacyRounds: 0 },
};
