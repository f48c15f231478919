import type { Answer } from '../../api/client.ts';
import type { Tone } from '../../ui/tones.ts';

/** Something changes every minute, and counts gathers for 50 seconds. */
const behindSeconds = 180;
const stuckSeconds = 900;

export function streamTone(age: number | null): Tone {
  if (age === null) return 'quiet';
  if (age < behindSeconds) return 'arrived';
  return age < stuckSeconds ? 'attention' : 'failed';
}

type Operations = Answer<'getOperations'>;

/** Parcels wait to be watched, and nobody is there to do it. */
export const isUnwatched = ({ name, waiting }: Operations['queues'][number], providers: Operations['providers']) =>
  name === 'tracking-requests' && waiting > 0 && providers.length === 0;

/** How many things somebody should look at. */
export function troubles({ queues, circuits, providers, streams }: Operations): number {
  const late = streams.filter(({ age_seconds }) => age_seconds !== null && age_seconds >= behindSeconds);
  const refusing = providers.filter(({ refused }) => refused > 0);
  const failing = queues.filter((queue) => queue.given_up > 0 || isUnwatched(queue, providers));
  return failing.length + circuits.length + refusing.length + late.length;
}
