/** What this needs of a `Form`. */
interface Goes<T> {
  readonly isChanged: boolean;
  reset: (values: T, etag: string | undefined) => void;
  basedOn: (etag: string | undefined) => void;
}

/** `fresh`: the form shows what is stored. `typed`: it keeps what was typed meanwhile. `unread`: reading failed. */
type Outcome = 'fresh' | 'typed' | 'unread';

/** After a save: the form goes on from what is stored, unless somebody typed while it was saved or read. */
export async function goOn<T>(
  form: Goes<T>,
  read: () => Promise<{ values: T; etag: string | undefined }>,
  onFailure: (error: unknown) => void,
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
    onFailure(error);
    return 'unread';
  }
}
