/** A long history of AfterShip: thirty checkpoints, each at its own time. */
const codes = [
  ['InTransit', 'InTransit_002'],
  ['InTransit', 'InTransit_003'],
  ['InTransit', 'InTransit_007'],
  ['OutForDelivery', 'OutForDelivery_001'],
  ['AttemptFail', 'AttemptFail_002'],
] as const;

export const thirtyCheckpoints = Array.from({ length: 30 }, (_, i) => {
  const [tag, subtag] = codes[i % codes.length]!;
  const checkpoint_time = new Date(Date.UTC(2026, 2, 2, 8, i)).toISOString();
  return {
    tag,
    subtag,
    checkpoint_time,
    message: `Scan number ${i}`,
    city: 'Bonn',
    country_iso3: 'DEU',
    slug: 'dhl-germany',
  };
});
