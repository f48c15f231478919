import { createHash } from 'node:crypto';
import { oneMore } from '#platform/access/sliding-window.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem, type Key } from '#platform/table/reads.ts';
import { type Action, commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';

/**
 * The forms that were sent from a tracking page and made a claim, in one item: so a form that is sent twice makes one
 * claim, and the limit of claims is exact however many come at once. Attempts with photos that made none count, too. The same
 * for messages in claims, in another item.
 */

/** What a form makes. */
export type FormKind = 'claim' | 'message';

const itemOf: Record<FormKind, (token: string) => Key> = {
  claim: keyOf.pageForms,
  message: keyOf.pageMessageForms,
};

export interface Form {
  /** Hashes: of what identifies the form, and of what it contains. */
  key: string;
  content: string;
}

interface SentForm extends Form {
  at: number;
  /** The id of an attempt that may have stored photos. It counts although it made no claim. */
  attempt?: string;
}

export interface SentForms {
  forms: readonly SentForm[];
  /** 0 if no form was sent yet. */
  version: number;
}

/** `again`: the same form with the same content. `other`: the same form, but somebody changed its content. */
export type Judged = { sent: 'new'; forms: SentForm[] } | { sent: 'again' | 'other' } | { waitMs: number };

const hour = 3_600_000;
const keptMs = pageLimits.formHours * hour;
const inAnHour: Record<FormKind, Parameters<typeof oneMore>[2]> = {
  claim: { max: pageLimits.claimsInAnHour, ms: hour },
  message: { max: pageLimits.messagesInAnHour, ms: hour },
};

export function judge(
  forms: readonly SentForm[],
  form: Omit<SentForm, 'at'>,
  now: Date,
  kind: FormKind = 'claim',
): Judged {
  const at = now.getTime();
  const known = forms.find(({ key, attempt }) => key === form.key && attempt === undefined);
  if (known) return { sent: known.content === form.content ? 'again' : 'other' };
  const times = forms.map((one) => one.at);
  const counted = oneMore(times, at, inAnHour[kind]);
  if ('waitMs' in counted) return counted;
  return { sent: 'new', forms: [...forms.filter((one) => one.at > at - keptMs), { ...form, at }] };
}

/** 128 bits, because the item holds many. */
export const hashOf = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(createHash('sha256').update(part).digest());
  return hash.digest().subarray(0, 16).toString('base64url');
};

export async function readSentForms(token: string, kind: FormKind = 'claim'): Promise<SentForms> {
  return (await getItem<SentForms>(itemOf[kind](token))) ?? { forms: [], version: 0 };
}

/** Counts an attempt before its photos are stored, so that failing attempts store no more than claims would. */
export function countAttempt(
  token: string,
  form: Form,
  attempt: string,
  now: Date,
  kind: FormKind = 'claim',
): Promise<Judged> {
  return retryOnConflict(async () => {
    const before = await readSentForms(token, kind);
    const judged = judge(before.forms, { ...form, attempt }, now, kind);
    if ('forms' in judged) await commit([putSentForms(token, before, judged.forms, now, kind)]);
    return judged;
  });
}

/** Without this attempt: its claim takes its place. */
export const withoutAttempt = (forms: readonly SentForm[], attempt: string): SentForm[] =>
  forms.filter((form) => form.attempt !== attempt);

/** Part of the transaction that makes the claim. Its condition fails if another form was sent after this was read. */
export function putSentForms(
  token: string,
  before: SentForms,
  forms: readonly SentForm[],
  now: Date,
  kind: FormKind = 'claim',
): Action {
  return putVersion({
    ...itemOf[kind](token),
    version: before.version + 1,
    forms,
    expires_at: Math.ceil((now.getTime() + keptMs) / 1000),
  });
}
