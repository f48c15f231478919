import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { OperationId } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { type Form, FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Loaded } from '../../ui/states.tsx';
import { goOn } from '../go-on.ts';
import { notReadAgain } from '../not-read-again.ts';

export interface Stored<T> {
  values: T;
  /** The state that a change is based on. */
  etag: string | undefined;
}

export interface SaveMore<T> {
  values: T;
  /** What is stored, as far as the form knows. */
  before: T;
  /** For a save of several requests: what one of them saved. If a later one fails, the next try goes on from there. */
  onPart: (part: Partial<T>, etag: string | undefined) => void;
}

interface SettingsFormProps<T extends object> {
  read: () => Promise<Stored<T>>;
  /** Gets only what the user changed, so that what somebody else changed beside it stays. */
  save: (changes: Partial<T>, ifMatch: string | undefined, more: SaveMore<T>) => Promise<unknown>;
  /** Whoever may not do this sees the settings and cannot change them. */
  needs: OperationId;
  /** Asks before these changes are saved. False: they are not. */
  before?: (changes: Partial<T>, stored: T) => Promise<boolean>;
  /** What the saved settings do now. Default: that they are saved. */
  effect?: (values: T) => string;
  /** What depends on the settings, outside the form. */
  onSaved?: () => unknown;
  /** Beside the form, such as a preview. */
  aside?: (values: T) => ComponentChildren;
  children: (form: Form<T>) => ComponentChildren;
}

/** A form of settings: it reads them, saves what changed, and goes on from what was saved. */
export function SettingsForm<T extends object>(props: SettingsFormProps<T>) {
  const stored = useResource('settings', props.read);
  return (
    <Loaded resource={stored} tried={t('admin.tried.read')}>
      {(first) => <Fields {...props} stored={first} />}
    </Loaded>
  );
}

function Fields<T extends object>(props: SettingsFormProps<T> & { stored: Stored<T> }) {
  const { stored, read, save, needs, before, effect, onSaved, aside, children } = props;
  const base = useRef(stored.values);
  const isUnread = useRef(false);
  const readAgain = async () => {
    const fresh = await read();
    base.current = fresh.values;
    return fresh;
  };
  const form = useForm<T>({
    initial: stored.values,
    etag: stored.etag,
    isReadOnly: !can(needs),
    readTheirs: readAgain,
    save: async (values, ifMatch) => {
      let tag = ifMatch;
      if (isUnread.current && tag !== undefined) {
        tag = (await read()).etag;
        form.basedOn(tag);
      }
      isUnread.current = false;
      await save(changed(base.current, values), tag, { values, before: base.current, onPart });
      base.current = values;
    },
  });
  const onPart = (part: Partial<T>, etag: string | undefined) => {
    base.current = { ...base.current, ...part };
    form.basedOn(etag);
  };
  const afterSaving = async () => {
    notify(effect?.(form.values.value) ?? t('admin.saved'));
    onSaved?.();
    // Who saves again before it is read must not be told of a conflict with the own save.
    isUnread.current = true;
    const outcome = await goOn(form, read, notReadAgain);
    isUnread.current = outcome === 'unread';
    if (outcome === 'fresh') base.current = form.values.value;
  };
  const view = (
    <FormView
      form={form}
      tried={t('admin.tried.save')}
      action={t('common.save')}
      before={before && (() => before(changed(base.current, form.values.value), base.current))}
      onSaved={afterSaving}
    >
      {form.isReadOnly && <p class="help">{t('admin.readOnly')}</p>}
      {children(form)}
    </FormView>
  );
  if (!aside) return view;
  return (
    <div class="columns">
      {view}
      {aside(form.values.value)}
    </div>
  );
}

function changed<T extends object>(before: T, after: T): Partial<T> {
  const isOther = (name: string) => JSON.stringify(before[name as keyof T]) !== JSON.stringify(after[name as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(([name]) => isOther(name))) as Partial<T>;
}

/** The API takes null where a form has an empty text. */
export const withNulls = (changes: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value === '' ? null : value]));

/** A form has an empty text where the API has null. */
export const withoutNulls = <Name extends string>(
  names: readonly Name[],
  stored: Partial<Record<Name, unknown>>,
): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, (stored[name] as string | null | undefined) ?? ''])) as Record<
    Name,
    string
  >;
