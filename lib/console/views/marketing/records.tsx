import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Failure } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { go, href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { type Form, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { textOf } from '../../ui/states.tsx';
import { goOn } from '../go-on.ts';
import { notReadAgain } from '../not-read-again.ts';

/** What campaigns, discounts, deals, announcements, tests and automations have in common. */

export const folders = {
  campaigns: 'campaigns',
  abTests: 'ab-tests',
  discounts: 'discounts',
  deals: 'deals',
  announcements: 'announcements',
  automations: 'automations',
} as const;

export type Kind = keyof typeof folders;

/** The path of a list, or of one entry. */
export const pathOf = (kind: Kind, entry?: string): string =>
  inShop(`/${folders[kind]}${entry === undefined ? '' : `/${encodeURIComponent(entry)}`}`);

export const upTo = (kind: Kind) => ({ path: pathOf(kind), label: t(`marketing.${kind}.title`) });

export const NewLink = ({ kind }: { kind: Kind }) => (
  <a class="button main" href={href(pathOf(kind, 'new'))}>
    {t(`marketing.${kind}.new`)}
  </a>
);

export interface Stored {
  uuid: string;
  updated_at: string;
}

/** What is stored under the uuid in the address; null for something new. */
export function useRecord<R extends Stored>(
  uuid: string | undefined,
  read: (uuid: string, signal: AbortSignal) => Promise<R>,
): Resource<R | null> {
  return useResource<R | null>(uuid ?? 'new', (signal) =>
    uuid === undefined ? Promise.resolve(null) : read(uuid, signal),
  );
}

/** The only entry of a list that was asked for one uuid. */
export function only<R>(found: readonly R[]): R {
  const [record] = found;
  if (record === undefined) throw new Failure('api', { status: 404, key: 'not_found', message: t('marketing.gone') });
  return record;
}

interface RecordFormOptions<R extends Stored, V extends object> {
  kind: Kind;
  resource: Resource<R | null>;
  toValues: (record: R | null) => V;
  create: (values: V) => Promise<unknown>;
  update: (record: R, values: V, ifMatch: string | undefined) => Promise<Pick<Stored, 'updated_at'> | null | undefined>;
  /** What follows from what was saved, as a sentence. */
  effect?: (saved: unknown) => string;
  fieldOf?: (place: string) => string;
  isReadOnly: boolean;
}

/** The form of a record: after saving a new one the list opens, after a change the form goes on from what is stored. */
export function useRecordForm<R extends Stored, V extends object>(options: RecordFormOptions<R, V>) {
  const { kind, resource, toValues, create, update, effect, fieldOf = (place) => place, isReadOnly } = options;
  const record = resource.value.value ?? null;
  const saved = useRef<unknown>(undefined);
  /** Whether the form is based on an older state than the one that it saved. */
  const isUnread = useRef(false);
  const readAgain = async () => {
    await resource.reload();
    const fresh = resource.value.value ?? null;
    if (resource.failure.value !== undefined || !fresh) throw resource.failure.value;
    return { values: toValues(fresh), etag: fresh.updated_at };
  };
  const form: Form<V> = useForm<V>({
    initial: toValues(record),
    etag: record?.updated_at,
    save: async (values, ifMatch) => {
      if (!record) {
        saved.current = await create(values);
        return;
      }
      const isStale = isUnread.current && ifMatch !== undefined;
      const answer = await update(record, values, isStale ? (await readAgain()).etag : ifMatch);
      saved.current = answer;
      // Some answers are empty.
      isUnread.current = !answer;
      if (answer) form.basedOn(answer.updated_at);
    },
    fieldOf,
    isReadOnly,
    ...(record && { readTheirs: readAgain }),
  });
  const goneOn = useRef<ReturnType<typeof goOn> | undefined>(undefined);
  const onSaved = async () => {
    const sentence = saved.current ? effect?.(saved.current) : undefined;
    notify([t(`marketing.${kind}.saved`), sentence].filter(Boolean).join(' '));
    if (!record) return go(pathOf(kind));
    goneOn.current = goOn(form, readAgain, notReadAgain);
    if ((await goneOn.current) !== 'unread') isUnread.current = false;
  };
  /** What an action beside the form is based on: what the form has just saved is not somebody else's change. */
  const ifMatch = async () => {
    await form.lastSave;
    return (await goneOn.current) === 'unread' ? (await readAgain()).etag : resource.value.value?.updated_at;
  };
  return { form, record, onSaved, ifMatch };
}

/** Does something beside the form, and says what became of it. */
export async function act<T>(work: () => Promise<T>, done: string | ((answer: T) => string)): Promise<boolean> {
  try {
    const answer = await work();
    notify(typeof done === 'string' ? done : done(answer));
    return true;
  } catch (error) {
    notify(textOf(error), 'failed');
    return false;
  }
}

interface RemoveProps {
  kind: Kind;
  name: string;
  remove: () => Promise<unknown>;
}

export function RemoveButton({ kind, name, remove }: RemoveProps) {
  const ask = async () => {
    const isSure = await confirm({
      title: t(`marketing.${kind}.deleteTitle`, { name }),
      text: t(`marketing.${kind}.deleteText`),
      action: t(`marketing.${kind}.delete`),
    });
    if (isSure && (await act(remove, t(`marketing.${kind}.deleted`, { name })))) go(pathOf(kind), { force: true });
  };
  return (
    <Button kind="danger" onClick={ask}>
      {t(`marketing.${kind}.delete`)}
    </Button>
  );
}

/** A view of one record: its form, and beside it what the form changes. */
export const RecordPage = ({
  kind,
  title,
  state,
  actions,
  children,
}: {
  kind: Kind;
  title: string;
  state?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <Page title={title} state={state} up={upTo(kind)} actions={actions}>
    {children}
  </Page>
);
