import type { ComponentChildren } from 'preact';
import type { OperationId } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { type Option, SelectField, TextInput } from '../../ui/fields.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { type Column, Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { folders, type Kind, NewLink, pathOf } from './records.tsx';

interface ListFilter {
  /** In the address, and in the query of the list. */
  name: string;
  label: string;
  /** Absent if any text may be typed. */
  options?: readonly Option[];
}

/** As in the navigation. */
const icons: Record<Kind, IconName> = {
  campaigns: 'gift',
  abTests: 'split',
  discounts: 'percent',
  deals: 'tag',
  announcements: 'megaphone',
  automations: 'bolt',
};

type Query = Record<string, string | number>;

interface RecordListProps<T> {
  kind: Kind;
  create: OperationId;
  read: (query: Query & { page: number; per_page: number }, signal: AbortSignal) => Promise<readonly T[]>;
  intro?: string;
  filters?: readonly ListFilter[];
  /** Before the link that makes a new record. */
  actions?: ComponentChildren;
  /** The first column, which links to the record. */
  name: { title: string; textOf: (row: T) => string; csv?: (row: T) => string };
  columns: readonly Column<T>[];
}

/** The list of all records of a kind, with its filters and pages. */
export function RecordList<T extends { uuid: string }>(props: RecordListProps<T>) {
  const { kind, create, read, intro, filters = [], actions, name, columns } = props;
  const page = pageOf();
  const values: Record<string, string> = Object.fromEntries(filters.map((one) => [one.name, filter(one.name)]));
  const query = { page, per_page: perPage, ...values };
  const found = useResource(JSON.stringify(query), (signal) => read(query, signal));
  const title = t(`marketing.${kind}.title`);
  const newLink = can(create) && <NewLink kind={kind} />;
  const link: Column<T> = {
    title: name.title,
    cell: (row) => <RowLink to={href(pathOf(kind, row.uuid))}>{name.textOf(row)}</RowLink>,
    csv: name.csv ?? name.textOf,
  };
  return (
    <Page
      title={title}
      actions={
        (actions || newLink) && (
          <>
            {actions}
            {newLink}
          </>
        )
      }
    >
      {intro && <p class="muted">{intro}</p>}
      {filters.length > 0 && (
        <Filters names={filters.map((one) => one.name)}>
          {filters.map((one) => (
            <FilterField key={one.name} filter={one} value={values[one.name]!} />
          ))}
        </Filters>
      )}
      <Loaded resource={found} tried={t(`marketing.${kind}.tried`)}>
        {(rows) => {
          if (rows.length > 0) {
            return (
              <>
                <Table caption={title} columns={[link, ...columns]} rows={rows} rowKey={({ uuid }) => uuid} />
                <div class="list-foot">
                  <Pager shown={rows.length} size={perPage} />
                  <ExportButton
                    name={folders[kind]}
                    columns={[link, ...columns]}
                    read={(at, size, signal) => read({ ...values, page: at, per_page: size }, signal)}
                  />
                </div>
              </>
            );
          }
          // Filters or a later page may be why there is nothing.
          return page > 1 || Object.values(values).some((value) => value !== '') ? (
            <>
              <Empty title={t('results.nothing')} text={t('results.nothingText')} icon={icons[kind]} />
              <Pager shown={0} />
            </>
          ) : (
            <Empty title={t(`marketing.${kind}.empty`)} text={t(`marketing.${kind}.emptyText`)} icon={icons[kind]}>
              {newLink}
            </Empty>
          );
        }}
      </Loaded>
    </Page>
  );
}

function FilterField({ filter: { name, label, options }, value }: { filter: ListFilter; value: string }) {
  if (!options) return <TextInput label={label} name={name} defaultValue={value} key={value} />;
  const choices = [{ value: '', label: t('common.all') }, ...options];
  return <SelectField label={label} name={name} value={value} onValue={() => {}} options={choices} />;
}
