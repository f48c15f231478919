import type { Lane } from '#platform/table/keys.ts';
import type { ArrivalModel } from './model.ts';

/** One read, which a function repeats after ten minutes. Undefined if nothing was learned about the lane yet. */
export async function readArrivalModel(_slug: string, _lane: Lane, _now: Date): Promise<ArrivalModel | undefined> {
  return undefined;
}
