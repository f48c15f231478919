import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleConsole } from '#lib/bundling/console.ts';
import { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import { claimRefs } from '#schemas/catalogues/event-filters.ts';
import { silenceLimits } from '#schemas/catalogues/limits.ts';
import { eventGroups, phases, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';

const folder = 'lib/console';
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

type Texts = { [name: string]: string | Texts };
const english: Texts = JSON.parse(read('texts/en.json'));
const german: Texts = JSON.parse(read('texts/de.json'));

const isPlural = (value: Texts) => typeof value.other === 'string';

/** Every text by its key; the forms of a plural are one text. */
const flat = (texts: Texts, place = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([name, value]): [string, string][] => {
    const key = place + name;
    if (typeof value === 'string') return [[key, value]];
    return isPlural(value) ? [[key, Object.values(value).join(' ')]] : flat(value, `${key}.`);
  });

/** Names, and words that German took over. */
const inBothLanguages = [
  '(optional)',
  'Automation',
  'CRM',
  'Code',
  'Deal',
  'Deals',
  'Definition',
  'Id',
  'Integration',
  'Link',
  'Logo',
  'Marketing',
  'Name',
  'Position',
  'Problem',
  'Segment',
  'Shop',
  'Shops',
  'Shopify',
  'Shopware 6',
  'Simulation',
  'Status',
  'Text',
  'URL',
  'Webhook',
  'Webhooks',
  'WooCommerce',
  'in {ms} ms',
  '{count} Webhook {count} Webhooks',
  '{ms} ms',
];

const namesIn = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();

describe('the texts of the console', () => {
  test('have the same keys and the same values to fill in, in both languages', () => {
    const [first, second] = [new Map(flat(english)), new Map(flat(german))];
    expect([...second.keys()]).toEqual([...first.keys()]);
    for (const [key, text] of first) expect([key, namesIn(second.get(key)!)]).toEqual([key, namesIn(text)]);
  });

  test('are other words in German, except for those that both languages have', () => {
    const [first, second] = [new Map(flat(english)), new Map(flat(german))];
    const hasWords = (text: string) => /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, ''));
    const alike = [...first]
      .filter(([key, text]) => second.get(key) === text && hasWords(text))
      .map(([, text]) => text);
    expect(alike.filter((text) => !inBothLanguages.includes(text))).toEqual([]);
  });

  test('name every phase, event, group and state of the API in German', () => {
    const named = (place: string) =>
      Object.keys(place.split('.').reduce((texts, name) => texts[name] as Texts, german));
    expect(named('common.phases')).toEqual(expect.arrayContaining([...phases]));
    expect(named('events.groups')).toEqual(expect.arrayContaining([...eventGroups]));
    for (const place of ['support.statuses', 'marketing.automations.claims'])
      expect(named(place)).toEqual(expect.arrayContaining([...claimStatuses]));
    expect(named('events.claims')).toEqual(expect.arrayContaining(claimRefs.map((ref) => ref.split('/')[1])));
    const events = JSON.parse(readFileSync('functions/domain/texts/de.json', 'utf8')).events;
    expect(Object.keys(events)).toEqual(expect.arrayContaining([...shipmentEventNames]));
  });

  test('say when a parcel is called silent as the service does', () => {
    const { percent, knownParcels, usualDays } = silenceLimits;
    for (const { common } of [english, german] as { common: { silence: string } }[]) {
      expect(common.silence.match(/\d+/g)).toEqual([percent, 100, knownParcels, usualDays].map(String));
    }
  });

  test('are written for people: none is empty, none shouts', () => {
    for (const [key, text] of [...flat(english), ...flat(german)]) {
      expect(text.trim(), key).not.toBe('');
      expect(text, key).not.toContain('!');
    }
  });

  test('that a view uses are of its own area or of all areas, because others are not loaded', () => {
    const areas = globSync('views/*/routes.ts', { cwd: folder }).map((file) => file.split('/')[1]!);
    const allowed: Record<string, string[]> = { operator: ['operator', 'admin'] };
    for (const file of globSync('{app,ui,views}/**/*.{ts,tsx}', { cwd: folder })) {
      const area = /^views\/(\w+)/.exec(file)?.[1] ?? '';
      if (file.endsWith('routes.ts')) continue;
      const used = [...read(file).matchAll(/\b(?:t|wordOf)\(\s*['`]([\w-]+)/g)].map(([, name]) => name!);
      const foreign = used.filter((name) => areas.includes(name) && !(allowed[area] ?? [area]).includes(name));
      expect(foreign, file).toEqual([]);
    }
  });

  test('that name events are loaded with the views that use them', () => {
    const users = globSync('views/**/*.{ts,tsx}', { cwd: folder }).filter((file) =>
      /ui\/(shipment-events|timeline)\.ts/.test(read(file)),
    );
    const areas = new Set(users.map((file) => file.split('/')[1]!));
    expect(areas.size).toBeGreaterThan(0);
    for (const area of areas) expect(read('app/routes.ts')).toMatch(new RegExp(`'${area}', 'shipmentEvents'`));
  });

  test('are all used', () => {
    const code = globSync('**/*.{ts,tsx}', { cwd: folder }).map(read).join('\n');
    // A key may be put together of a place and a value, such as a status.
    const isUsed = (key: string) =>
      key.split('.').some((_, i, parts) => i > 0 && code.includes(parts.slice(0, i + 1).join('.')));
    expect(
      flat(english)
        .map(([key]) => key)
        .filter((key) => !isUsed(key)),
    ).toEqual([]);
  });
});

describe('the first load of the console', () => {
  let out: string;
  let outputs: Metafile['outputs'];
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'console-'));
    ({ outputs } = await bundleConsole(out));
  });
  afterAll(() => rm(out, { recursive: true }));

  const outputOf = (source: string) =>
    Object.keys(outputs).find((path) => Object.keys(outputs[path]!.inputs).some((input) => input.endsWith(source)))!;

  /** A file, and those that it cannot do without. */
  const withImports = (path: string): string[] => [
    path,
    ...outputs[path]!.imports.filter(({ kind }) => kind === 'import-statement').flatMap((one) => withImports(one.path)),
  ];

  test.each([
    ['en', 'Out for delivery', 'Return registered'],
    ['de', 'Im Zustellfahrzeug', 'Retoure angemeldet'],
  ])('leaves the names of the events to the views that show them, in %s', async (language, name, ofReturn) => {
    const { texts } = await import(pathToFileURL(outputOf(`texts:${language}/shipmentEvents`)).href);
    expect(Object.keys(texts.shipmentEvents)).toEqual(expect.arrayContaining([...shipmentEventNames]));
    expect(texts.shipmentEvents).toMatchObject({ OUT_FOR_DELIVERY: name, returns: { ORDER_CREATED: ofReturn } });
    const main = withImports(outputOf('console/main.tsx'));
    expect(main).not.toContain(outputOf(`texts:${language}/shipmentEvents`));
  });

  test.each(['en', 'de'])(
    'is at most 60 KB of script, compressed, with the overview and its charts, in %s',
    (language) => {
      const sources = ['console/main.tsx', 'overview/overview.tsx', 'uPlot.esm.js'];
      const texts = ['base', 'overview'].map((part) => `texts:${language}/${part}`);
      const files = new Set([...sources, ...texts].map(outputOf).flatMap(withImports));
      const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
      expect(bytes).toBeGreaterThan(30 * 1024);
      expect(bytes).toBeLessThan(60 * 1024);
    },
  );
});
