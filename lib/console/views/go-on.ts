import { t } from '../texts/texts.ts';
import type { Form } from '../ui/form.tsx';
import { notify } from '../ui/notices.tsx';
import { textOf } from '../ui/states.tsx';

type Goes<T extends object> = Pick<Form<T>, 'isChanged' | 'reset' | 'basedOn'>;

/** `fresh`: the form shows what is stored. `typed`: it keeps what was typed meanwhile. `unread`: reading failed. */
export type Outcome = 'fresh' | 'typed' | 'unread';

/** After a save: the form goes on from what is stored, unless somebody typed while it was saved or read. */
export async function goOn<T extends object>(
  form: Goes<T>,
  read: () => Promise<{ values: T; etag: string | undefined }>,
): Promise<Outcome> {
  try {
    const { values, etag } = await read();
    if (form.isChanged) {
      form.basedOn(etag);
      return 'typed';
    }
    form.reset(values, etag);
    return 'fresh';
  } catch (error) {
    notify(`${t('form.notReadAgain')} ${textOf(error)}`, 'failed');
    return 'unread';
  }
}
