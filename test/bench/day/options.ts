import { parseArgs } from 'node:util';

export interface DayOptions {
  orders: number;
  /** How many times faster than the clock. Undefined: as fast as the stack takes it. */
  factor: number | undefined;
  /** Whether orders come evenly. */
  isEven: boolean;
  kills: number;
  seed: number;
  concurrency: number;
  svg: string | undefined;
  isSoak: boolean;
  /** Of the soak. */
  minutes: number;
  /** Seconds until a message is visible again whose reader was killed, instead of the template's. */
  visibilityTimeout: number | undefined;
  countsUnits: boolean;
  /** Where profiles of the stack's process are written. */
  profile: string | undefined;
}

export function readOptions(args: readonly string[]): DayOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      orders: { type: 'string', default: '2000' },
      speed: { type: 'string', default: 'full' },
      kills: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      concurrency: { type: 'string', default: '8' },
      svg: { type: 'string' },
      soak: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '60' },
      visibility: { type: 'string' },
      units: { type: 'boolean', default: true },
      profile: { type: 'string' },
    },
    allowNegative: true,
  });
  return {
    orders: atLeast(1, values.orders, 'orders'),
    factor: values.speed === 'full' ? undefined : atLeast(1, values.speed, 'speed'),
    isEven: false,
    kills: atLeast(0, values.kills, 'kills'),
    seed: atLeast(0, values.seed, 'seed'),
    concurrency: atLeast(1, values.concurrency, 'concurrency'),
    svg: values.svg,
    isSoak: values.soak,
    minutes: atLeast(1, values.minutes, 'minutes'),
    visibilityTimeout: values.visibility === undefined ? undefined : atLeast(1, values.visibility, 'visibility'),
    countsUnits: values.units,
    profile: values.profile,
  };
}

function atLeast(least: number, text: string, name: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} is a whole number from ${least} on, not "${text}".`);
}
