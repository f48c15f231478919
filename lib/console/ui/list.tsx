import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { place, setQuery } from '../app/router.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import type { CsvValue } from './csv.ts';
import { filterChanges } from './filter-changes.ts';
import { Icon } from './icon.tsx';

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  /** Stands at the end of its cell, as numbers do. */
  isNumber?: boolean;
  /** Left out on small screens. */
  isMinor?: boolean;
  /** What an exported list has in this column. Times are as the API writes them. Absent: not in the file. */
  csv?: (row: T) => CsvValue;
}

interface TableProps<T> {
  /** What the table lists, for those who do not see it. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  isBusy?: boolean;
}

/**
 * A list as a table; on small screens each row is a card. The first cell of a row holds the link to its detail: make it with
 * `RowLink`, so that `j` and `k` find it.
 */
export function Table<T>({ caption, columns, rows, rowKey, isBusy = false }: TableProps<T>) {
  return (
    <div class="table" aria-busy={isBusy}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isMinor }) => (
              <th key={title} scope="col" class={classOf(isNumber, isMinor)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, isNumber, isMinor }) => (
                <td key={title} class={classOf(isNumber, isMinor)} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = (isNumber = false, isMinor = false) => `${isNumber ? 'number' : ''} ${isMinor ? 'minor' : ''}`;

export const RowLink = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <a href={to} data-row>
    {children}
  </a>
);

/** The page of a list, which stands in the address. */
export const pageOf = (): number => Math.max(1, Number(place.value.query.get('page')) || 1);

export const perPage = 25;

interface PagerProps {
  /** How many entries the present page has. */
  shown: number;
  /** How many there are in all, where that is known. */
  total?: number | undefined;
  size?: number;
}

/** A page that is full has probably another one after it. */
export function Pager({ shown, total, size = perPage }: PagerProps) {
  const page = pageOf();
  const first = (page - 1) * size + 1;
  const hasNext = total === undefined ? shown === size : first + shown - 1 < total;
  if (page === 1 && !hasNext) {
    return <p class="pager muted">{t('list.count', { count: total ?? shown })}</p>;
  }
  const open = (next: number) => setQuery({ page: next === 1 ? undefined : next }, { replace: false });
  return (
    <nav class="pager" aria-label={t('list.pages')}>
      <Button disabled={page === 1} onClick={() => open(page - 1)}>
        {t('list.previous')}
      </Button>
      <span class="muted">
        {shown === 0
          ? t('list.page', { page })
          : total === undefined
            ? t('list.range', { first, last: first + shown - 1 })
            : t('list.rangeOf', { first, last: first + shown - 1, total })}
      </span>
      <Button disabled={!hasNext} onClick={() => open(page + 1)}>
        {t('list.next')}
      </Button>
    </nav>
  );
}

interface FiltersProps {
  /** The names in the query that the fields of this form set. */
  names: readonly string[];
  children: ComponentChildren;
}

/** Filters stand in the address. Texts and dates count when the field is left or with `Enter`, a choice at once. */
export function Filters({ names, children }: FiltersProps) {
  const apply = (form: HTMLFormElement) => {
    const changes = filterChanges(names, new FormData(form), place.value.query);
    if (changes) setQuery(changes, { replace: false });
  };
  const clear = () => setQuery(Object.fromEntries([...names, 'page'].map((name) => [name, undefined])));
  const set = names.filter((name) => place.value.query.has(name)).length;
  const isFiltered = set > 0;
  const isOpen = useSignal(false);
  const id = useId();
  return (
    <search aria-label={t('list.filters')}>
      {/* Only on small screens. */}
      <Button
        class="fold-button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="filter" /> {isFiltered ? t('list.filtersSet', { count: set }) : t('list.filters')}
      </Button>
      <form
        id={id}
        class={isOpen.value ? 'filters' : 'filters folded'}
        onSubmit={(event) => {
          event.preventDefault();
          apply(event.currentTarget);
        }}
        onChange={(event) => {
          if (!isDate(event.target)) apply(event.currentTarget);
        }}
        onFocusOut={(event) => {
          if (isDate(event.target)) apply(event.currentTarget);
        }}
      >
        {children}
        {/* Without it, `Enter` does nothing in a form with several fields. */}
        <input type="submit" hidden />
        {isFiltered && (
          <Button kind="plain" onClick={clear}>
            {t('list.clear')}
          </Button>
        )}
      </form>
    </search>
  );
}

/** A browser says with every digit of a date that it has changed. */
const isDate = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && ['date', 'datetime-local'].includes(target.type);

/** The value of a filter, from the address. */
export const filter = (name: string): string => place.value.query.get(name) ?? '';
