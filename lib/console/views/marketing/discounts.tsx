import type { Discount } from '#schemas/families/discounts.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { SelectField, TextInput } from '../../ui/fields.tsx';
import { Filters, filter, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ListOf, NewLink, pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

export default function Discounts() {
  const page = pageOf();
  const [code, type] = [filter('code'), filter('type')];
  const query = { page, per_page: perPage, code, type };
  const discounts = useResource(JSON.stringify(query), (signal) => call('searchDiscounts', { query, signal }));
  return (
    <Page title={t('marketing.discounts.title')} actions={can('createDiscount') && <NewLink kind="discounts" />}>
      <Filters names={['code', 'type']}>
        <TextInput label={t('marketing.discounts.code')} name="code" defaultValue={code} key={code} />
        <SelectField
          label={t('marketing.type')}
          name="type"
          value={type}
          onValue={() => {}}
          options={[{ value: '', label: t('common.all') }, ...typeOptions()]}
        />
      </Filters>
      <Loaded resource={discounts} tried={t('marketing.discounts.tried')}>
        {(rows) => (
          <ListOf
            kind="discounts"
            rows={rows}
            isNarrowed={page > 1 || code !== '' || type !== ''}
            mayCreate={can('createDiscount')}
          >
            <Table
              caption={t('marketing.discounts.title')}
              columns={columns()}
              rows={rows}
              rowKey={({ uuid }) => uuid}
            />
          </ListOf>
        )}
      </Loaded>
    </Page>
  );
}

const columns = () => [
  {
    title: t('marketing.name'),
    cell: (row: Discount) => <RowLink to={href(pathOf('discounts', row.uuid))}>{nameOf(row)}</RowLink>,
  },
  { title: t('marketing.discounts.code'), cell: ({ code }: Discount) => code && <code>{short(code, 40)}</code> },
  { title: t('marketing.type'), cell: ({ type }: Discount) => t(`marketing.discounts.types.${type}`) },
  { title: t('marketing.discounts.value'), cell: amountOf, isNumber: true },
  { title: t('marketing.changed'), cell: ({ updated_at }: Discount) => <Time at={updated_at} />, isMinor: true },
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
