import { type IconName, shapes } from './icons.ts';

export type { IconName };

/** Stands beside a text, which says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);

export const Sprite = () => (
  <svg class="sprite" aria-hidden="true">
    {Object.entries(shapes).map(([name, d]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        <path d={d} />
      </symbol>
    ))}
  </svg>
);
