import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Options } from 'uplot';
import { isDark } from '../app/theme.ts';
import { dateLocale, language, number, t } from '../texts/texts.ts';

interface Series {
  title: string;
  /** A custom property of the stylesheet, such as `--arrived`. */
  colour: string;
  /** Lengths of strokes and gaps, so that lines can be told apart without their colours. */
  dash?: readonly number[];
  values: readonly (number | null)[];
}

/** @param ink the colour of a custom property */
export type Tune = (options: Options, ink: (name: string) => string) => void;

interface ChartProps {
  /** The one message of the chart. */
  title: string;
  xTitle: string;
  yTitle: string;
  /** ISO 8601 times. */
  times: readonly string[];
  timeLabel: (time: string) => string;
  series: readonly Series[];
  /** How a value reads. Default: as a number. */
  valueLabel?: (value: number) => string;
  /** Several lines that cross: nothing below them is coloured. */
  isLine?: boolean;
  /** Further columns of the table. */
  inTable?: readonly { title: string; values: readonly string[] }[];
  /** What the figures mean. */
  note?: ComponentChildren;
  /** Changes how the chart is drawn. Here and not as further properties, because the first load of the console has this file. */
  tune?: Tune | undefined;
}

/** A custom property with two colours says which one counts only where it is used. Answers `rgb(r, g, b)`. */
function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

/** A chart with the same figures as a table behind it. uPlot is loaded when the first chart is shown. */
export function Chart(props: ChartProps) {
  const { title, xTitle, yTitle, times, timeLabel, series, isLine, inTable = [], note, tune } = props;
  const valueLabel = props.valueLabel ?? ((value: number) => number(value));
  const place = useRef<HTMLDivElement>(null);
  const inTheDark = isDark.value;
  const data = JSON.stringify([times, series, language.value]);
  useEffect(() => {
    let plot: { destroy: () => void; setSize: (size: { width: number; height: number }) => void } | undefined;
    let isGone = false;
    const element = place.current!;
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    import('uplot').then(({ default: UPlot }) => {
      if (isGone) return;
      const ink = (name: string) => colourOf(element, name);
      const axis = { stroke: ink('--muted'), grid: { stroke: ink('--line') }, ticks: { stroke: ink('--line') } };
      const options: Options = {
        width: element.clientWidth,
        height,
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, 1) * 1.1] } },
        // Days are those of UTC, also on the axis.
        tzDate: (at) => UPlot.tzDate(new Date(at * 1000), 'UTC'),
        axes: [
          {
            ...axis,
            label: xTitle,
            values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => tickLabel(tick, step)),
          },
          { ...axis, label: yTitle, size: 60, values: (_plot, ticks) => ticks.map((tick) => number(tick)) },
        ],
        series: [
          { label: xTitle, value: (_plot, at) => (at === null ? '' : timeLabel(new Date(at * 1000).toISOString())) },
          ...series.map(({ title: label, colour, dash = [] }) => ({
            label,
            value: (_plot: unknown, value: number | null) => (value === null ? '' : valueLabel(value)),
            stroke: ink(colour),
            ...(!isLine && { fill: ink(colour).replace(')', ', 0.13)') }),
            dash: [...dash],
            width: 2,
            points: { show: times.length < 40 },
          })),
        ],
      };
      tune?.(options, ink);
      plot = new UPlot(
        options,
        [times.map((time) => Date.parse(time) / 1000), ...series.map(({ values }) => [...values])],
        element,
      );
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      plot?.destroy();
    };
  }, [data, inTheDark]);
  return (
    <figure class="chart card">
      <figcaption>{title}</figcaption>
      <div class="plot" ref={place} aria-hidden="true" />
      {note && <p class="help">{note}</p>}
      <details>
        <summary>{t('chart.table')}</summary>
        <div class="table">
          <table>
            <caption class="hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{xTitle}</th>
                {[...series, ...inTable].map((one) => (
                  <th key={one.title} scope="col" class="number">
                    {one.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, i) => (
                <tr key={time}>
                  <th scope="row">{timeLabel(time)}</th>
                  {series.map((one) => (
                    <td key={one.title} class="number" data-title={one.title}>
                      {one.values[i] === null || one.values[i] === undefined ? '–' : valueLabel(one.values[i])}
                    </td>
                  ))}
                  {inTable.map((one) => (
                    <td key={one.title} class="number" data-title={one.title}>
                      {one.values[i]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

const height = 220;

/** In the user's language. `step` is the time between two ticks, in seconds. */
const tickLabel = (tick: number, step: number): string =>
  new Date(tick * 1000).toLocaleString(dateLocale(), {
    timeZone: 'UTC',
    ...(step < 86_400 ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { day: 'numeric', month: 'short' }),
  });
