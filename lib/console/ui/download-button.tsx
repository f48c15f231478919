import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { currentShop } from '../app/router.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { notify } from './notices.tsx';
import { textOf } from './states.tsx';

interface DownloadButtonProps {
  /** The name of the file, without what comes after the point. */
  name: string;
  /** What the file holds, if several on a page can be saved, for those who do not see where the button stands. */
  about?: string;
  /** Reads the text of the file. */
  read: (signal: AbortSignal) => Promise<string>;
}

/** Saves figures or a list as CSV. */
export function DownloadButton({ name, about, read }: DownloadButtonProps) {
  const isBusy = useSignal(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const save = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    const { signal } = leaving.current;
    try {
      const text = await read(signal);
      saveCsv(currentShop.value === undefined ? `${name}.csv` : `${currentShop.value}-${name}.csv`, text);
    } catch (error) {
      if (!signal.aborted) notify(`${t('results.notExported')} ${textOf(error)}`, 'failed');
    }
    isBusy.value = false;
  };
  return (
    <Button
      kind="plain"
      isBusy={isBusy.value}
      onClick={save}
      {...(about && { 'aria-label': `${t('results.export')}: ${about}` })}
    >
      <Icon name="download" /> {t('results.export')}
    </Button>
  );
}

function saveCsv(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
