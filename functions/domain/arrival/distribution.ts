/** In delivery days. Of what takes longer nothing is known but that it does. */
export const longest = 30;

/**
 * How many parcels were delivered on each delivery day of their way, of how many that were still under way and of which
 * that day is over. Their quotient is the hazard of that day, by which parcels still under way speak as well as delivered ones
 * (Kaplan and Meier, Journal of the American Statistical Association 53, 1958). Weights make them fractions.
 */
export interface Observed {
  delivered: number[];
  atRisk: number[];
}

export const zeros = (length: number): number[] => new Array<number>(length).fill(0);
export function sumOf(counts: readonly number[]): number {
  let sum = 0;
  for (let n = 0; n < counts.length; n++) sum += counts[n]!;
  return sum;
}

export const nothingObserved = (): Observed => ({ delivered: zeros(longest + 1), atRisk: zeros(longest + 1) });

/**
 * @param counts delivered so many delivery days later; those beyond the longest way were only under way until then
 * @param open parcels that are still under way
 * @param watched the last delivery day of their way that is over
 */
export function observe(
  to: Observed,
  counts: readonly number[],
  { open, watched, weight }: { open: number; watched: number; weight: number },
): void {
  let under = open + sumOf(counts);
  for (let n = 0; n <= Math.min(longest, watched) && under > 0; n++) {
    const count = counts[n] ?? 0;
    to.delivered[n]! += weight * count;
    to.atRisk[n]! += weight * under;
    under -= count;
  }
}

/** Of delivered parcels alone, such as those that had been out for delivery. */
export function observedOf(counts: readonly number[]): Observed {
  const observed = nothingObserved();
  observe(observed, counts, { open: 0, watched: longest, weight: 1 });
  return observed;
}

/** The sum of several, such as of all lanes of a carrier. */
export function together(parts: readonly { [name in keyof Observed]: readonly number[] }[]): Observed {
  const sum = nothingObserved();
  for (const { delivered, atRisk } of parts) {
    for (let n = 0; n <= longest; n++) {
      sum.delivered[n]! += delivered[n] ?? 0;
      sum.atRisk[n]! += atRisk[n] ?? 0;
    }
  }
  return sum;
}

/** The hazard of each delivery day. That of the last one is that of all days after it too. */
export type Hazards = readonly number[];

/** What is believed where nothing was observed: few parcels come on the day of the hand-over, two in five on any other, later one in four. */
const vague: Hazards = Array.from({ length: longest + 1 }, (_, n) => (n === 0 ? 0.02 : n < 10 ? 0.4 : 0.25));
/** A belief speaks with so many parcels. */
const beliefStrength = 4;

/** Parcels are late when so few of their lane are still under way. */
const lateShare = 0.03;

/** The wider group speaks with so many parcels, so the more parcels a group has, the less the wider one matters. */
const strength = 20;

export const narrowed = ({ delivered, atRisk }: Observed, wider: Hazards, parcels = strength): Hazards =>
  wider.map((hazard, n) => (delivered[n]! + parcels * hazard) / (atRisk[n]! + parcels));

/**
 * The hazards of the narrowest group, as far as its parcels tell them.
 * @param groups from the widest to the narrowest, such as the lane of all shops and the lane of the shop
 */
export function backedOff(groups: readonly Observed[], believed: Hazards): Hazards {
  const [widest, ...narrower] = groups.filter(({ atRisk }) => atRisk[0]! > 0);
  if (!widest) return believed;
  return narrower.reduce((wider, group) => narrowed(group, wider), narrowed(widest, believed, beliefStrength));
}

/**
 * Few parcels tell about each of the days on which hardly any comes. So all late days are first taken for one.
 * @param believed such as what is known of the carrier in other countries: it says more than nothing, and not much
 */
export function hazardsOf(groups: readonly Observed[], believed: Hazards = vague): Hazards {
  const late = lateAfter(backedOff(groups, believed)) + 1;
  const ofLateDays = groups.map(({ delivered, atRisk }) => ({
    delivered: [sumOf(delivered.slice(late))],
    atRisk: [sumOf(atRisk.slice(late))],
  }));
  const [tail] = backedOff(ofLateDays, [believed.at(-1)!]);
  return backedOff(
    groups,
    believed.map((hazard, n) => (n < late ? hazard : tail!)),
  );
}

/** The chance that a parcel has not come before a delivery day. */
export const leftAfter = (hazards: Hazards, day: number): number =>
  hazards.slice(0, day).reduce((left, hazard) => left * (1 - hazard), 1);

/** The delivery day after which nearly all parcels have arrived. */
export function lateAfter(hazards: Hazards): number {
  let left = 1;
  const day = hazards.findIndex((hazard) => {
    left *= 1 - hazard;
    return left <= lateShare;
  });
  return day < 0 ? longest : day;
}

const inside = (p: number) => Math.min(0.999, Math.max(0.001, p));
export const logit = (p: number): number => Math.log(inside(p) / (1 - inside(p)));
export const fromLogit = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** So few parcels are left that the days after are not told apart. */
const nobodyLeft = 0.002;

/**
 * How likely each delivery day is, of a parcel that has not arrived before the given one. Days before it have none. What is
 * missing to one comes later than on any of them.
 */
export function distributionFrom(hazards: Hazards, first: number): number[] {
  const shares = zeros(first);
  let left = 1;
  for (let n = first; left > nobodyLeft && n < first + 2 * longest; n++) {
    const share = left * (hazards[Math.min(n, hazards.length - 1)] ?? 1);
    shares.push(share);
    left -= share;
  }
  return shares;
}
