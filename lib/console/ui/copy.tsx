import { useSignal } from '@preact/signals';
import { t } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import { notify } from './notices.tsx';

/** An id or a link that can be copied. `shown` stands for a long or secret one. */
export function CopyText({ text, shown = text, label }: { text: string; shown?: string; label?: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      notify(t('common.copied'));
      setTimeout(() => {
        isCopied.value = false;
      }, 2000);
    } catch {
      notify(t('common.notCopied'), 'attention');
    }
  };
  return (
    <span class="copy">
      <code>{shown}</code>
      <button
        type="button"
        class="button plain"
        onClick={copy}
        aria-label={`${t('common.copy')} ${label ?? shown}`}
        title={t('common.copy')}
      >
        <Icon name={isCopied.value ? 'check' : 'copy'} />
      </button>
    </span>
  );
}
