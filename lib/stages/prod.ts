import { stage } from '../stage.ts';

/** Before the first deployment, set `alarmEmail`, `domain` and `distributionMarks`: lib/README.md explains the settings. */
export default stage({
  isProtected: true,
  // 3,000 page views and 2,000 webhooks of tracking providers a second: lib/constructs/README.md, "What anonymous callers can take".
  pagesConcurrency: 300,
  providersConcurrency: 200,
  // A shop can place a thousand orders a second. All of its rate is the time of 100 of an account's 1,000 executions: lib/capacity.md.
  keyRate: { unitsPerSecond: 2000, burst: 4000, uncounted: 10 },
  // A shop may have 2,000 carrier updates a second. The release before this one reads the shards: lib/decisions/releases.md.
  spreadsShipments: true,
  logRetentionDays: 90,
  logLevel: 'WARN',
  // Three times what a new table takes: lib/capacity.md, "How far one table goes".
  warmThroughput: { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 12_000 },
});
