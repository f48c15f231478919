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
  /** The other answer, if it is not to leave everything as it is. Then `undefined` means that. */
  otherwise?: string;
  kind?: 'danger' | 'main';
}

const asked = signal<(Question & { answer: (yes: boolean | undefined) => void }) | undefined>(undefined);

/** Asks once, before something is done that cannot be taken back. */
export function confirm(question: Question): Promise<boolean | undefined> {
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
    <Dialog title={question.title} onClose={() => question.answer(undefined)}>
      <p>{question.text}</p>
      <div class="actions">
        <Button kind={question.kind ?? 'danger'} onClick={() => question.answer(true)}>
          {question.action}
        </Button>
        <Button onClick={() => question.answer(false)}>{question.otherwise ?? t('common.cancel')}</Button>
      </div>
    </Dialog>
  );
}
