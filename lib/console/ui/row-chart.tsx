import type { ComponentChild, ComponentChildren } from 'preact';
import { t } from '../texts/texts.ts';
import { type Column, Table } from './list.tsx';
import { ticksOf } from './ticks.ts';

/** Where a value stands on the axis, such as `37.5%`. */
export type Placed = (value: number) => string;

interface DrawnRow {
  key: string;
  name: ComponentChildren;
  /** Beside the picture, in words. */
  value: ComponentChildren;
  draw: (place: Placed) => ComponentChild;
}

interface RowChartProps<T> {
  /** The one message of the chart. */
  title: string;
  axisTitle: string;
  min?: number;
  max: number;
  tickLabel: (value: number) => string;
  /** What the colours mean. Each is a class of the stylesheet. */
  legend?: readonly (readonly [colour: string, word: string])[];
  rows: readonly DrawnRow[];
  /** What the figures mean. */
  note: ComponentChildren;
  /** The same figures for those who do not see the picture. */
  table: { columns: readonly Column<T>[]; rows: readonly T[]; rowKey: (row: T) => string };
  children?: ComponentChildren;
}

/** A picture with a row for each thing that is compared, drawn with shares of its width, so that words keep their size. */
export function RowChart<T>({
  title,
  axisTitle,
  min = 0,
  max,
  tickLabel,
  legend = [],
  rows,
  note,
  table,
  children,
}: RowChartProps<T>) {
  const share = (value: number) => (100 * (value - min)) / (max - min);
  const place: Placed = (value) => `${Math.min(100, Math.max(0, share(value)))}%`;
  const ticks = ticksOf(min, max);
  return (
    <figure class="chart card">
      <figcaption>{title}</figcaption>
      <div class="row-chart" aria-hidden="true">
        {legend.length > 0 && (
          <p class="legend">
            {legend.map(([colour, word]) => (
              <span key={word}>
                <svg class="swatch" aria-hidden="true">
                  <rect class={colour} width="100%" height="100%" rx="2" />
                </svg>
                {word}
              </span>
            ))}
          </p>
        )}
        {rows.map(({ key, name, value, draw }) => (
          <div class="drawn-row" key={key}>
            <span class="drawn-name">{name}</span>
            <svg class="drawn" aria-hidden="true">
              {ticks.map((tick) => (
                <line
                  key={tick}
                  class={tick === 0 ? 'zero' : 'tick'}
                  x1={place(tick)}
                  x2={place(tick)}
                  y1="0"
                  y2="100%"
                />
              ))}
              {draw(place)}
            </svg>
            <span class="drawn-value">{value}</span>
          </div>
        ))}
        <div class="drawn-row axis">
          <svg class="drawn" aria-hidden="true">
            {ticks.map((tick) => (
              <text key={tick} x={place(tick)} y="1em" text-anchor={anchorOf(share(tick))}>
                {tickLabel(tick)}
              </text>
            ))}
          </svg>
          <span class="axis-title">{axisTitle}</span>
        </div>
      </div>
      {children}
      <p class="help">{note}</p>
      <details>
        <summary>{t('chart.table')}</summary>
        <Table caption={title} {...table} />
      </details>
    </figure>
  );
}

/** A label at an end of the axis stays within the picture. */
const anchorOf = (share: number) => (share < 5 ? 'start' : share > 95 ? 'end' : 'middle');
