import { clockOf, dayMs, hourMs, hours, rush, slotsOfHour } from './curve.ts';
import { type Slot, shortest } from './log.ts';

export interface DrawnDay {
  title: string;
  /** What the day was, in a sentence or two. */
  caption: string;
  /** By the half hour. */
  slots: readonly Slot[];
  /** Times of the day, in milliseconds. */
  kills: readonly number[];
}

interface Line {
  name: string;
  unit: string;
  of(slot: Slot): number | undefined;
}

/** What was over at once says nothing about speed. */
const rate = (count: number, { seconds }: Slot) => (seconds >= shortest ? count / seconds : undefined);
const known = (value: number) => (Number.isFinite(value) ? value : undefined);

/** Each has a strip of its own: they have no common scale. */
const lines: readonly Line[] = [
  { name: 'Orders placed', unit: 'a second', of: (slot) => rate(slot.orders, slot) },
  { name: 'Requests answered', unit: 'a second', of: (slot) => rate(slot.requests, slot) },
  { name: 'Webhooks received', unit: 'a second', of: (slot) => rate(slot.deliveries, slot) },
  { name: 'Wait for an answer, 99 of 100', unit: 'ms', of: ({ waits }) => known(waits.quantile(0.99)) },
  { name: 'From request to webhook, 99 of 100', unit: 'ms', of: ({ lags }) => known(lags.quantile(0.99)) },
  { name: 'Memory of the stack', unit: 'MB', of: ({ sample }) => sample && sample.rss / 2 ** 20 },
];

const page = { width: 960, left: 64, right: 24, top: 86, strip: 66, gap: 34, bottom: 44 };
const plotWidth = page.width - page.left - page.right;
const height = page.top + lines.length * (page.strip + page.gap) - page.gap + page.bottom;

const x = (ms: number): number => page.left + (ms / dayMs) * plotWidth;
const topOf = (strip: number): number => page.top + strip * (page.strip + page.gap);
const at = (value: number): string => String(Math.round(value * 10) / 10);

/** The day as a picture that needs nothing else, and follows the theme of whoever looks at it. */
export function drawDay({ title, caption, slots, kills }: DrawnDay): string {
  const ofDay = slots.slice(0, hours * slotsOfHour);
  const foot = height - page.bottom;
  const parts = [
    `<rect class="page" width="${page.width}" height="${height}" rx="10"/>`,
    text('title', page.left, 34, title),
    text('caption', page.left, 56, caption),
    rushBand(foot),
    ...hourMarks(foot),
    ...lines.flatMap((line, i) => strip(line, i, ofDay)),
    // One line through the whole page would cross the words between the strips.
    ...kills.flatMap((ms) => [
      `<path class="kill" d="${lines.map((_, i) => `M${at(x(ms))} ${topOf(i)}v${page.strip}`).join('')}"/>`,
      text('killed', x(ms), foot + 36, 'killed', 'middle'),
    ]),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description({ title, caption, slots: ofDay, kills }))}</desc>`,
    `<style>${style}</style>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function strip({ name, unit, of }: Line, index: number, slots: readonly Slot[]): string[] {
  const top = topOf(index);
  const foot = top + page.strip;
  const values = slots.map(of);
  const peak = Math.max(...values.map((value) => value ?? 0));
  const most = niceTop(peak);
  const y = (value: number) => foot - (value / most) * page.strip;
  const runs = runsOf(values).map((run) =>
    run.map(({ place, value }) => `${at(x(((place + 0.5) * hourMs) / slotsOfHour))},${at(y(value))}`),
  );
  return [
    text('name', page.left, top - 8, name),
    text('unit', page.width - page.right, top - 8, `up to ${shortly(peak)} ${unit}`, 'end'),
    ...[0, 0.5, 1].map((share) => {
      const level = at(y(share * most));
      return `<line class="${share === 0 ? 'ground' : 'grid'}" x1="${page.left}" x2="${page.width - page.right}" y1="${level}" y2="${level}"/>`;
    }),
    text('scale', page.left - 8, top + 4, shortly(most), 'end'),
    text('scale', page.left - 8, foot + 4, '0', 'end'),
    ...runs.map((points) => {
      const [first, last] = [points[0]!.split(',')[0], points.at(-1)!.split(',')[0]];
      return `<polygon class="area s${index}" points="${first},${at(foot)} ${points.join(' ')} ${last},${at(foot)}"/>`;
    }),
    ...runs.map((points) => `<polyline class="line s${index}" points="${points.join(' ')}"/>`),
  ];
}

/** Half hours without a value interrupt the line. */
function runsOf(values: readonly (number | undefined)[]): { place: number; value: number }[][] {
  const runs: { place: number; value: number }[][] = [];
  let isOpen = false;
  values.forEach((value, place) => {
    if (value !== undefined && isOpen) runs.at(-1)!.push({ place, value });
    else if (value !== undefined) runs.push([{ place, value }]);
    isOpen = value !== undefined;
  });
  return runs;
}

function rushBand(foot: number): string {
  const width = Math.max(3, (rush.minutes / (hours * 60)) * plotWidth);
  return `<rect class="rush" x="${at(x(rush.fromMs))}" y="${page.top - 4}" width="${at(width)}" height="${foot - page.top + 4}"/>`;
}

const hourMarks = (foot: number): string[] =>
  Array.from({ length: 9 }, (_, i) => i * 3).flatMap((hour) => [
    `<line class="grid" x1="${at(x(hour * hourMs))}" x2="${at(x(hour * hourMs))}" y1="${page.top}" y2="${foot + 5}"/>`,
    text('scale', x(hour * hourMs), foot + 20, clockOf(hour * slotsOfHour), 'middle'),
  ]);

/** What the picture shows, for who does not see it. */
function description({ caption, slots, kills }: DrawnDay): string {
  const ranges = lines.map(({ name, unit, of }) => {
    const values = slots.map(of).filter((value) => value !== undefined);
    return values.length === 0
      ? `${name}: nothing`
      : `${name}: from ${shortly(Math.min(...values))} to ${shortly(Math.max(...values))} ${unit}`;
  });
  const times = kills.map((ms) => new Date(ms).toISOString().slice(11, 16));
  const killed = times.length > 0 ? `The stack was killed at ${times.join(', ')}. ` : '';
  return `${caption} By half hours of the day. ${killed}${ranges.join('. ')}.`;
}

/** A few times a power of ten, and not below the value. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].map((times) => times * power).find((top) => top >= value)!;
}

const shortly = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 100) / 100);

const text = (kind: string, left: number, base: number, content: string, anchor = 'start'): string =>
  `<text class="${kind}" x="${at(left)}" y="${at(base)}" text-anchor="${anchor}">${escaped(content)}</text>`;

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The colours of the lines are told apart by who sees colours differently, and have 3:1 on both grounds. */
const style = `
svg { --page: #fff; --ink: #1a1d23; --soft: #59616e; --grid: #e3e6eb; --kill: #c4321c; --rush: #f4a100;
  --s0: #0b66c3; --s1: #6a3fc0; --s2: #0a7f6b; --s3: #b25400; --s4: #b0306f; --s5: #51606f; }
@media (prefers-color-scheme: dark) { svg { --page: #14171c; --ink: #eceff4; --soft: #a3adba; --grid: #2a2f38; --kill: #ff7a63;
  --rush: #f4a100; --s0: #6cb4ff; --s1: #b79bff; --s2: #4fd1b5; --s3: #ffab5c; --s4: #ff8fc4; --s5: #b4c0cd; } }
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--soft); }
.title { font-size: 20px; font-weight: 600; fill: var(--ink); } .caption { font-size: 13px; }
.name { font-weight: 600; fill: var(--ink); } .scale { font-size: 11px; font-variant-numeric: tabular-nums; }
.page { fill: var(--page); } .grid, .ground { stroke: var(--grid); } .ground { stroke: var(--soft); stroke-opacity: .5; }
.rush { fill: var(--rush); fill-opacity: .16; } .kill { stroke: var(--kill); stroke-width: 1.5; stroke-dasharray: 5 4; }
.killed { fill: var(--kill); font-weight: 600; } .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.area { stroke: none; fill-opacity: .14; }
${lines.map((_, i) => `.line.s${i} { stroke: var(--s${i}); } .area.s${i} { fill: var(--s${i}); }`).join('\n')}
`;
