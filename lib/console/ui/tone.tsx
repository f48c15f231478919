import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** What a state means. `quiet` is for what means nothing in particular, such as a draft. */
export type Tone = 'moving' | 'arrived' | 'attention' | 'failed' | 'quiet';

const icons: Record<Tone, IconName> = {
  moving: 'truck',
  arrived: 'check',
  attention: 'warning',
  failed: 'close',
  quiet: 'clock',
};

interface ToneProps {
  tone: Tone;
  icon?: IconName;
  children: ComponentChildren;
}

/** A state as an icon and a word, so that colour never carries the meaning alone. */
export const State = ({ tone, icon = icons[tone], children }: ToneProps) => (
  <span class={`state ${tone}`}>
    <Icon name={icon} />
    <span>{children}</span>
  </span>
);

const phaseTones: Record<string, Tone> = {
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
};

export const phaseTone = (phase: string): Tone => phaseTones[phase] ?? 'quiet';

const claimTones: Record<string, Tone> = {
  pending: 'attention',
  accepted: 'arrived',
  rejected: 'failed',
  closed: 'quiet',
};

export const claimTone = (status: string): Tone => claimTones[status] ?? 'quiet';
