import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { Dialog } from '../ui/dialog.tsx';

const isHelpOpen = signal(false);

/** `/` searches, `j` and `k` move in lists, `?` shows the keys. */
export function KeyHelp() {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isHelpOpen.value) return null;
  return (
    <Dialog
      title={t('app.keys.title')}
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="facts">
        {(['search', 'next', 'previous', 'open', 'help'] as const).map((name) => (
          <div key={name}>
            <dt>
              <kbd>{keys[name]}</kbd>
            </dt>
            <dd>{t(`app.keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const keys = { search: '/', next: 'j', previous: 'k', open: '↵', help: '?' };

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target as Element)) return;
  if (document.querySelector('dialog[open]')) return;
  if (event.key === '/') focusOn(event, document.getElementById('search'));
  else if (event.key === 'j') move(event, 1);
  else if (event.key === 'k') move(event, -1);
  else if (event.key === '?') isHelpOpen.value = true;
}

const isTyping = (target: Element) => target.matches('input, textarea, select, [contenteditable]');

function focusOn(event: KeyboardEvent, element: HTMLElement | null | undefined): void {
  if (!element) return;
  event.preventDefault();
  element.focus();
}

/** The rows of a list mark their links with `data-row`. */
function move(event: KeyboardEvent, step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const here = rows.indexOf(document.activeElement as HTMLElement);
  focusOn(event, rows[here === -1 ? 0 : Math.min(Math.max(here + step, 0), rows.length - 1)]);
}
