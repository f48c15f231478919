import type { Scenario } from './scenarios.ts';

export const operationsScenarios: Scenario[] = [
  {
    operation: 'getOperations',
    case: 'without an open circuit; each of them adds four queries of its parked deliveries',
    access:
      '`KEYS#username` / token id; index `lists`: `CIRCUITS#0` to `CIRCUITS#3`; all of `TRACKINGPROVIDERS#`; of each provider ' +
      '`UNMAPPED#provider` / `WEBHOOK`, `COUNT`, `REFUSED#day`; `HEARTBEAT#region` / `READ#…`',
    code: 'functions/api/operations/operations.ts',
    run: ({ call }) => call('GET', '/v1/operations'),
  },
];
