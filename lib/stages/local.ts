import { stage } from '../stage.ts';

/** Of `npm start` and the tests, which depend on what is not set here. It cannot be deployed. */
export default stage({
  // One SuperAdmin key does everything in benches and tests.
  keyRate: { unitsPerSecond: 1_000_000, burst: 1_000_000, uncounted: 1_000_000 },
  // The mails stay on this machine: they are at /mail.
  email: { from: 'post@shops.example', maxPerSecond: 1000 },
});
