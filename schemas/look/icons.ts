/** Each is drawn in a square of 24 with lines of 2, in the colour of the text beside it. */
export const iconShapes = {
  parcel: 'M3 8l9-5 9 5v8l-9 5-9-5zM3 8l9 5 9-5M12 13v8M7.5 5.5l9 5',
  truck: 'M2 6h12v10H2zM14 10h4l4 3v3h-8M6 19a2 2 0 100-4 2 2 0 000 4zM17 19a2 2 0 100-4 2 2 0 000 4z',
  door: 'M6 21V3h12v18M3 21h18M14 12h.01',
  shop: 'M4 10v11h16V10M3 10l2-6h14l2 6zM9 21v-6h6v6',
  locker: 'M4 3h16v18H4zM12 3v18M4 9h16M4 15h16',
  return: 'M9 6L4 11l5 5M4 11h10a6 6 0 010 12h-1',
  warning: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  check: 'M4 12.5l5 5L20 6.5',
  clock: 'M12 22a10 10 0 100-20 10 10 0 000 20zM12 6v6l4 2',
  claim: 'M4 4h16v12H9l-5 5zM12 7v3M12 13h.01',
  gift: 'M3 9h18v4H3zM5 13v8h14v-8M12 9v12M12 9S7 9 7 6s4-2 5 3c1-5 5-6 5-3s-5 3-5 3z',
  link: 'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1',
} as const;

export type IconName = keyof typeof iconShapes;
