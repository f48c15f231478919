import { t } from '../texts/texts.ts';
import { allPages, csvOf, maxRows } from './csv.ts';
import { DownloadButton } from './download-button.tsx';
import type { Column } from './list.tsx';
import { notify } from './notices.tsx';

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
  const readAll = async (signal: AbortSignal) => {
    const exported = columns.filter(({ csv }) => csv !== undefined);
    const rows = await allPages((page, size) => read(page, size, signal));
    if (rows.length === maxRows) notify(t('results.exportedSome', { count: maxRows }), 'attention');
    return csvOf(
      exported.map(({ title }) => title),
      rows.map((row) => exported.map(({ csv }) => csv!(row))),
    );
  };
  return <DownloadButton name={name} read={readAll} />;
}
