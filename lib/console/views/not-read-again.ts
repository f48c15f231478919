import { t } from '../texts/texts.ts';
import { notify } from '../ui/notices.tsx';
import { textOf } from '../ui/states.tsx';

/** It was saved, and the form still shows what was sent. */
export const notReadAgain = (error: unknown): void => notify(`${t('form.notReadAgain')} ${textOf(error)}`, 'failed');
