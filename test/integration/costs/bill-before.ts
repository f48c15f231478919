import type { Side } from './bill-table.ts';

/**
 * What an order used before pages and webhooks of tracking providers left API Gateway, Lambda stopped sending traces, delivery got
 * less memory and alarms fewer metrics: by the same measurement, in `prod`.
 */
export const before: Side = {
  order: {
    writeUnits: {
      api: 30,
      pages: 2,
      'tracking-providers': 0,
      ingest: 13,
      'fan-out': 5,
      delivery: 5,
      due: 0,
      counts: 9.1,
    },
    readUnits: {
      api: 9,
      pages: 8,
      'tracking-providers': 3,
      ingest: 13.7,
      'fan-out': 37,
      delivery: 20,
      due: 0,
      counts: 1.3,
    },
    invocations: {
      api: 2,
      pages: 4,
      'tracking-providers': 3,
      ingest: 3,
      'fan-out': 5,
      delivery: 5,
      due: 0,
      counts: 0.65,
    },
    sends: 9,
    storedBytes: 13_600,
  },
  assumptions: {
    logBytes: 0,
    kmsRequests: 0.01,
    gatewayRequests: 9,
    edgeFunctions: 9,
    memory: { api: 1, pages: 1, 'tracking-providers': 1, ingest: 1, 'fan-out': 1, delivery: 1, due: 1, counts: 1 },
    windows: { ingest: 1, delivery: 0 },
    isTraced: true,
    alarmMetrics: 125,
    insightRules: 0,
    privacyRounds: 43_200,
  },
};
