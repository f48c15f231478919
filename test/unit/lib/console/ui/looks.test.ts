import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shapes } from '#lib/console/ui/icons.ts';
import { toneIcons, tones } from '#lib/console/ui/tones.ts';

const folder = 'lib/console';

/** What each icon means, in every view. */
const meanings: Record<keyof typeof shapes, string> = {
  parcel: 'a parcel',
  truck: 'what a carrier reports',
  door: 'delivered to the door (tracking page)',
  shop: 'the shop itself',
  locker: 'a parcel locker (tracking page)',
  return: 'a return',
  warning: 'needs attention',
  check: 'done, arrived, right',
  clock: 'planned, or a time',
  claim: 'a claim',
  gift: 'a campaign',
  link: 'an endpoint',
  menu: 'opens the menu',
  user: 'a person',
  copy: 'copies',
  close: 'closes',
  filter: 'filters',
  download: 'saves a file',
  going: 'under way',
  failed: 'failed',
  off: 'off, over or without a meaning',
  home: 'the overview',
  bars: 'figures',
  basket: 'an order',
  plug: 'an integration',
  play: 'a simulation',
  split: 'an A/B test',
  percent: 'a discount',
  tag: 'a deal',
  megaphone: 'an announcement',
  bolt: 'an automation',
  sliders: 'services that can be switched',
  bell: 'notifications',
  page: 'the tracking page',
  drop: 'colours',
  swap: 'field mappings',
  key: 'an API key',
  lock: 'a key of an integration',
  sync: 'the connection to the shop system',
  grid: 'all shops',
  pin: 'a tracking provider',
  shield: 'privacy',
  mail: 'an e-mail to a customer',
  pulse: 'how the service runs',
};

describe('an icon', () => {
  test('has one meaning, and no meaning has two icons', () => {
    expect(Object.keys(meanings).sort()).toEqual(Object.keys(shapes).sort());
    expect(new Set(Object.values(meanings)).size).toBe(Object.keys(meanings).length);
    expect(new Set(Object.values(shapes)).size).toBe(Object.keys(shapes).length);
  });

  test('stands for one place of the navigation', () => {
    const used = globSync('views/*/routes.ts', { cwd: folder }).flatMap((file) =>
      [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/icon: '(\w+)'/g)].map(([, name]) => name!),
    );
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name, i) => used.indexOf(name) < i)).toEqual([]);
  });
});

describe('a tone', () => {
  test('has an icon of its own', () => {
    expect(new Set(Object.values(toneIcons)).size).toBe(Object.keys(toneIcons).length);
  });

  test('is chosen in one table, so that a state looks the same in every view', () => {
    const choosing = globSync('views/**/*.tsx', { cwd: folder }).filter((file) =>
      /Record<[^;=]*, Tone>\s*=/.test(readFileSync(`${folder}/${file}`, 'utf8')),
    );
    expect(choosing).toEqual([]);
    expect(tones.claim).toEqual({ pending: 'attention', accepted: 'arrived', rejected: 'failed', closed: 'quiet' });
  });
});
