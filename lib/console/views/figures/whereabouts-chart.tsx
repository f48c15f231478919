import { number, percent, t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { type Placed, RowChart } from '../../ui/row-chart.tsx';
import { type Division, drawnRows, keyOf, nameOf, type Row, sumOf } from './rows.ts';

interface RowsProps {
  rows: readonly Row[];
  by: Division;
}

/** What became of the parcels that carriers got: delivered, ended otherwise, or still under way. */
export function WhereaboutsChart({ rows, by }: RowsProps) {
  const shipped = sumOf(rows, (row) => row.shipped);
  const underWay = sumOf(rows, (row) => row.under_way);
  return (
    <RowChart
      title={t('figures.parcels.message', {
        delivered: number(sumOf(rows, (row) => row.delivered)),
        shipped: number(shipped),
      })}
      axisTitle={t('figures.parcels.axis')}
      max={1}
      tickLabel={percent}
      legend={[
        ['delivered', t('figures.parcels.delivered')],
        ['otherwise', t('figures.parcels.otherwise')],
        ['under-way', t('figures.parcels.underWay')],
      ]}
      rows={rows.slice(0, drawnRows).map((row) => ({
        key: keyOf(row),
        name: nameOf(row, by),
        value: t('figures.parcels.some', { count: row.under_way }),
        draw: (place) => <StackedBar row={row} place={place} />,
      }))}
      note={`${t('figures.parcels.note', { count: underWay })} ${t('figures.parcels.meaning')}`}
      table={{ columns: columnsOf(by), rows, rowKey: keyOf }}
    />
  );
}

function StackedBar({ row: { shipped, delivered, ended_otherwise }, place }: { row: Row; place: Placed }) {
  const [first, second] = [delivered / shipped, (delivered + ended_otherwise) / shipped];
  const bar = { y: '50%', height: '16' };
  return (
    <>
      <rect class="under-way" width="100%" {...bar} />
      <rect class="otherwise" width={place(second)} {...bar} />
      <rect class="delivered" width={place(first)} {...bar} />
    </>
  );
}

const columnsOf = (by: Division): Column<Row>[] => [
  { title: t(`figures.by.${by}`), cell: (row) => nameOf(row, by) },
  { title: t('figures.parcels.shipped'), cell: ({ shipped }) => number(shipped), isNumber: true },
  { title: t('figures.parcels.delivered'), cell: ({ delivered }) => number(delivered), isNumber: true },
  { title: t('figures.parcels.otherwise'), cell: ({ ended_otherwise }) => number(ended_otherwise), isNumber: true },
  { title: t('figures.parcels.underWay'), cell: ({ under_way }) => number(under_way), isNumber: true },
];
