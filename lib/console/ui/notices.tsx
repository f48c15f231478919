import { signal } from '@preact/signals';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { Tone } from './tone.tsx';

interface Notice {
  id: number;
  text: string;
  tone: Tone;
}

const notices = signal<readonly Notice[]>([]);
let last = 0;

const shownMs = 8000;

/** Says what became of an action. A failure stays until it is closed. */
export function notify(text: string, tone: Tone = 'arrived'): void {
  const id = ++last;
  notices.value = [...notices.value.slice(-3), { id, text, tone }];
  if (tone !== 'failed') setTimeout(() => close(id), shownMs);
}

const close = (id: number) => {
  notices.value = notices.value.filter((notice) => notice.id !== id);
};

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {notices.value.map(({ id, text, tone }) => (
      <div key={id} class={`notice card ${tone}`}>
        <Icon name={tone === 'arrived' ? 'check' : 'warning'} />
        <span>{text}</span>
        <Button kind="plain" onClick={() => close(id)} aria-label={t('common.close')}>
          <Icon name="close" />
        </Button>
      </div>
    ))}
  </div>
);
