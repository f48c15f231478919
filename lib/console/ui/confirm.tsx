import { signal } from '@preact/signals';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Question {
  /** Names what goes: "Delete the endpoint https://…?" */
  title: string;
  /** What follows from it. */
  text: string;
  /** What the button does: "Delete endpoint". */
  action: string;
  kind?: 'danger' | 'main';
}

const asked = signal<(Question & { answer: (yes: boolean) => void }) | undefined>(undefined);

/** Asks once, before something is done that cannot be taken back. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

export function ConfirmHost() {
  const question = asked.value;
  if (!question) return null;
  return (
    <Dialog title={question.title} onClose={() => question.answer(false)}>
      <p>{question.text}</p>
      <div class="actions">
        <Button kind={question.kind ?? 'danger'} onClick={() => question.answer(true)}>
          {question.action}
        </Button>
        <Button onClick={() => question.answer(false)}>{t('common.cancel')}</Button>
      </div>
    </Dialog>
  );
}
