import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Asked before somebody closes it, by a dialog with a form: `() => form.mayLeave()`. */
  mayClose?: (() => boolean) | undefined;
  children: ComponentChildren;
}

/** Over the view. When it closes, the focus returns to what opened it. */
export function Dialog({ title, onClose, mayClose = () => true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the effects of what it holds, which may set the focus.
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    // While the dialog is still there, nothing behind it takes the focus.
    return () => queueMicrotask(() => opener?.focus());
  }, []);
  const close = () => {
    if (mayClose()) onClose();
    else if (!dialog.current?.open) dialog.current?.showModal();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file field inside has such an event too. What cannot be prevented is followed by `close`.
        if (event.target !== event.currentTarget || !event.cancelable) return;
        event.preventDefault();
        close();
      }}
      onClose={close}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="plain" onClick={close} aria-label={t('common.close')}>
          <Icon name="close" />
        </Button>
      </header>
      <div class="stack">{children}</div>
    </dialog>
  );
}
