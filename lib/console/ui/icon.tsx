import { iconShapes, type IconName as SharedIcon } from '#schemas/look/icons.ts';

/** What only a tool needs. */
const toolShapes = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  user: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  close: 'M5 5l14 14M19 5L5 19',
} as const;

export type IconName = SharedIcon | keyof typeof toolShapes;

/** Stands beside a text, which says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);

export const Sprite = () => (
  <svg class="sprite" aria-hidden="true">
    {Object.entries({ ...iconShapes, ...toolShapes }).map(([name, d]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        <path d={d} />
      </symbol>
    ))}
  </svg>
);
