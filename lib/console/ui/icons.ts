import { iconShapes, type IconName as SharedIcon } from '#schemas/look/icons.ts';

/** What only a tool needs. Each icon means one thing in all views: a test holds the table of their meanings. */
const toolShapes = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  user: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  close: 'M5 5l14 14M19 5L5 19',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  download: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  going: 'M12 21a9 9 0 100-18 9 9 0 000 18zM8 12h8M13 9l3 3-3 3',
  failed: 'M12 21a9 9 0 100-18 9 9 0 000 18zM9 9l6 6M15 9l-6 6',
  off: 'M12 21a9 9 0 100-18 9 9 0 000 18zM8 12h8',
  home: 'M3 11l9-8 9 8M5 10v10h5v-6h4v6h5V10',
  bars: 'M4 20h17M7 16v-5M12 16V5M17 16V8',
  basket: 'M3 9h18l-2 11H5zM8 9l3-6M16 9l-3-6',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 01-12 0zM12 17v4',
  play: 'M7 4l13 8-13 8z',
  split: 'M12 21v-7M12 14L5 7V3M12 14l7-7V3M2.5 5.5L5 3l2.5 2.5M16.5 5.5L19 3l2.5 2.5',
  percent: 'M19 5L5 19M7.5 10a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM16.5 19a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  tag: 'M3 3h8l10 10-8 8L3 11zM7.5 7.5h.01',
  megaphone: 'M4 9v5h4l9 5V4L8 9zM8 14v6M20.5 9.5v4',
  bolt: 'M13 2L4 14h7l-1 8 9-12h-7z',
  sliders: 'M4 7h10M19 7h1M4 17h1M10 17h10M16.5 4.5v5M7.5 14.5v5',
  bell: 'M6 17v-6a6 6 0 0112 0v6l2 2H4zM10 22h4',
  page: 'M6 2h8l4 4v16H6zM9 11h6M9 15h6',
  drop: 'M12 3c4 5 6 8 6 11a6 6 0 01-12 0c0-3 2-6 6-11z',
  swap: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  key: 'M8 16a5 5 0 100-10 5 5 0 000 10zM13 11h9M18 11v4M21.5 11v3',
  lock: 'M5 11h14v10H5zM8 11V7a4 4 0 018 0v4',
  sync: 'M4 12a8 8 0 0114-5l2 2M20 12a8 8 0 01-14 5l-2-2M20 4v5h-5M4 20v-5h5',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  pin: 'M12 21c-5-6-7-8-7-11a7 7 0 0114 0c0 3-2 5-7 11zM12 12.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  shield: 'M12 3l8 3v6c0 5-3 8-8 9-5-1-8-4-8-9V6z',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  pulse: 'M2 12h5l3-7 4 14 3-7h5',
} as const;

export type IconName = SharedIcon | keyof typeof toolShapes;

export const shapes = { ...iconShapes, ...toolShapes };
