import type { Discount } from '#schemas/families/discounts.ts';
import { call } from '../../api/client.ts';
import { number, t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { Time } from '../../ui/time.tsx';
import { RecordList } from './record-list.tsx';
import { short } from './typed-texts.ts';

export default function Discounts() {
  return (
    <RecordList
      kind="discounts"
      create="createDiscount"
      read={(query, signal) => call('searchDiscounts', { query, signal })}
      filters={[
        { name: 'code', label: t('marketing.discounts.code') },
        { name: 'type', label: t('marketing.type'), options: typeOptions() },
      ]}
      name={{ title: t('marketing.name'), textOf: nameOf }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Discount>[] => [
  {
    title: t('marketing.discounts.code'),
    cell: ({ code }) => code && <code>{short(code, 40)}</code>,
    csv: ({ code }) => code,
  },
  {
    title: t('marketing.type'),
    cell: ({ type }) => t(`marketing.discounts.types.${type}`),
    csv: ({ type }) => t(`marketing.discounts.types.${type}`),
  },
  { title: t('marketing.discounts.value'), cell: amountOf, isNumber: true, csv: amountOf },
  {
    title: t('marketing.changed'),
    cell: ({ updated_at }) => <Time at={updated_at} />,
    isMinor: true,
    csv: ({ updated_at }) => updated_at,
  },
];

const types = ['product', 'order', 'shipping'] as const satisfies Discount['type'][];
export const typeOptions = () => types.map((value) => ({ value, label: t(`marketing.discounts.types.${value}`) }));

/** A discount need not have a title. */
export const nameOf = ({ title, code }: Pick<Discount, 'title' | 'code'>): string =>
  short(title || code || t('marketing.discounts.unnamed'));

function amountOf({ value, value_type }: Discount): string {
  if (value === null) return '–';
  return value_type === 'percentage' ? `${number(value)} %` : number(value);
}
