/** Names of companies are the same in every language. */
const names: Record<string, string> = {
  aftership: 'AfterShip',
  easypost: 'EasyPost',
  shippo: 'Shippo',
  ship24: 'Ship24',
  seventeentrack: '17TRACK',
};

export const providerName = (name: string): string => names[name] ?? name;
