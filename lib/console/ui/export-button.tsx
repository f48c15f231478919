import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { currentShop } from '../app/router.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { allPages, csvOf, maxRows } from './csv.ts';
import { Icon } from './icon.tsx';
import type { Column } from './list.tsx';
import { notify } from './notices.tsx';
import { textOf } from './states.tsx';

interface ExportButtonProps<T> {
  /** The name of the file, without what comes after the point. */
  name: string;
  /** Those with `csv` are in the file. */
  columns: readonly Column<T>[];
  /** Reads a page of the list with the filters that are set. */
  read: (page: number, size: number, signal: AbortSignal) => Promise<readonly T[]>;
}

/** Saves the whole list, with its filters, as CSV. */
export function ExportButton<T>({ name, columns, read }: ExportButtonProps<T>) {
  const isBusy = useSignal(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const save = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    const { signal } = leaving.current;
    const exported = columns.filter(({ csv }) => csv !== undefined);
    try {
      const rows = await allPages((page, size) => read(page, size, signal));
      const cells = rows.map((row) => exported.map(({ csv }) => csv!(row)));
      download(
        currentShop.value === undefined ? `${name}.csv` : `${currentShop.value}-${name}.csv`,
        csvOf(
          exported.map(({ title }) => title),
          cells,
        ),
      );
      if (rows.length === maxRows) notify(t('list.exportedSome', { count: maxRows }), 'attention');
    } catch (error) {
      if (!signal.aborted) notify(`${t('list.notExported')} ${textOf(error)}`, 'failed');
    }
    isBusy.value = false;
  };
  return (
    <Button kind="plain" isBusy={isBusy.value} onClick={save}>
      <Icon name="download" /> {t('list.export')}
    </Button>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
