import type { Answer } from '../api/client.ts';
import { type Tone, tones } from './tones.ts';

export type Health = Answer<'getIntegrationHealth'>;

/** What the health of a receiver is told from, wherever that is. */
export interface HealthFigures {
  circuit: 'closed' | 'open' | 'draining';
  arrived: number;
  /** Given up. */
  failed: number;
  /** Failed, and tried again by themselves. */
  retrying: number;
}

export type HealthWord = keyof typeof tones.health;

/** Of so many that arrived, a few that failed are no reason to look. */
const fineShare = 0.95;

/** How a receiver does, in one word and one tone: the same in every view. */
export function healthOf(figures: HealthFigures): { word: HealthWord; tone: Tone } {
  const word = wordOf(figures);
  return { word, tone: tones.health[word] };
}

function wordOf({ circuit, arrived, failed, retrying }: HealthFigures): HealthWord {
  if (circuit === 'open') return 'notAnswering';
  if (circuit === 'draining') return 'catchingUp';
  const all = arrived + failed + retrying;
  if (all === 0) return 'nothingYet';
  if (arrived === all) return 'allArrived';
  if (arrived < all / 2) return 'mostFailed';
  if (retrying > 0) return 'retrying';
  return arrived / all >= fineShare ? 'nearlyAll' : 'someFailed';
}

/** Whether deliveries go out, in a word that does not contradict the health. `failing`: they do, but not all arrive. */
export function sendingOf(figures: HealthFigures): { word: keyof typeof tones.sending; tone: Tone } {
  const { tone } = healthOf(figures);
  const isFailing = figures.circuit === 'closed' && (tone === 'attention' || tone === 'failed');
  const word = isFailing ? 'failing' : figures.circuit;
  return { word, tone: tones.sending[word] };
}

/** Of what the API tells about a target. */
export const figuresOf = ({ circuit, counts, retrying }: Health): HealthFigures => ({
  circuit: circuit.state,
  arrived: counts.delivered,
  failed: counts.failed,
  retrying,
});
