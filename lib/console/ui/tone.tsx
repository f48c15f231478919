import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import { type Tone, toneIcons } from './tones.ts';

export { phaseTone, type Tone, tones } from './tones.ts';

interface ToneProps {
  tone: Tone;
  icon?: IconName | undefined;
  children: ComponentChildren;
}

/** A state as an icon and a word, so that colour never carries the meaning alone. */
export const State = ({ tone, icon = toneIcons[tone], children }: ToneProps) => (
  <span class={`state ${tone}`}>
    <Icon name={icon} />
    <span>{children}</span>
  </span>
);
