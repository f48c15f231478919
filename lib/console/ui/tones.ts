import type { IconName } from './icons.ts';

/** What a state means. `planned` is to come; `quiet` means nothing in particular, such as a draft or what is over. */
export type Tone = 'moving' | 'arrived' | 'attention' | 'failed' | 'planned' | 'quiet';

export const toneIcons: Record<Tone, IconName> = {
  moving: 'going',
  arrived: 'check',
  attention: 'warning',
  failed: 'failed',
  planned: 'clock',
  quiet: 'off',
};

/** The only table of tones: a state looks the same in every view. */
export const tones = {
  phase: {
    order_created: 'quiet',
    order_processed: 'moving',
    order_cancelled: 'quiet',
    in_transit: 'moving',
    in_delivery: 'moving',
    collect: 'attention',
    delivered: 'arrived',
    delivery_failed: 'failed',
    return_created: 'moving',
    return_transit: 'moving',
    returned: 'attention',
    return_received: 'arrived',
    return_failed: 'failed',
  },
  claim: { pending: 'attention', accepted: 'arrived', rejected: 'failed', closed: 'quiet' },
  withdrawal: { declared: 'attention', accepted: 'moving', refunded: 'arrived', rejected: 'failed' },
  delivery: {
    pending: 'moving',
    retried: 'attention',
    parked: 'attention',
    delivered: 'arrived',
    failed: 'failed',
    cancelled: 'quiet',
    skipped: 'quiet',
    bounce: 'failed',
    soft_bounce: 'failed',
    complaint: 'attention',
    delayed: 'moving',
    rejected: 'failed',
  },
  suppression: { bounce: 'failed', complaint: 'attention', unsubscribed: 'quiet' },
  health: {
    nothingYet: 'quiet',
    allArrived: 'arrived',
    nearlyAll: 'arrived',
    retrying: 'attention',
    someFailed: 'attention',
    mostFailed: 'failed',
    notAnswering: 'failed',
    catchingUp: 'attention',
  },
  sending: { closed: 'arrived', failing: 'moving', open: 'failed', draining: 'attention' },
  campaign: { running: 'arrived', testing: 'arrived', planned: 'planned', ended: 'quiet', off: 'quiet' },
  abTest: { running: 'arrived', scheduled: 'planned', completed: 'quiet' },
  verdict: { undecided: 'moving', better: 'arrived', worse: 'failed' },
  automation: { active: 'arrived', testing: 'attention', inactive: 'quiet' },
  run: {
    scheduled: 'planned',
    pending: 'moving',
    done: 'arrived',
    failed: 'failed',
    skipped: 'quiet',
    tested: 'attention',
  },
  privacy: { running: 'moving', done: 'arrived', failed: 'failed' },
  simulation: { running: 'moving', ended: 'arrived' },
} as const satisfies Record<string, Record<string, Tone>>;

export const phaseTone = (phase: string): Tone => (tones.phase as Record<string, Tone>)[phase] ?? 'quiet';
