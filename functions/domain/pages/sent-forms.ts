import { createHash } from 'node:crypto';
import { oneMore } from '#platform/access/sliding-window.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { type Action, insert, put } from '#platform/table/writes.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';

/**
 * The forms that were sent from a tracking page and made a claim, in one item: so a form that is sent twice makes one
 * claim, and the limit of claims is exact however many come at once.
 */

export interface Form {
  /** Hashes: of what identifies the form, and of what it contains. */
  key: string;
  content: string;
}

interface SentForm extends Form {
  at: number;
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
const claimsInAnHour = { max: pageLimits.claimsInAnHour, ms: hour };

export function judge(forms: readonly SentForm[], form: Form, now: Date): Judged {
  const at = now.getTime();
  const known = forms.find(({ key }) => key === form.key);
  if (known) return { sent: known.content === form.content ? 'again' : 'other' };
  const times = forms.map((one) => one.at);
  const counted = oneMore(times, at, claimsInAnHour);
  if ('waitMs' in counted) return counted;
  return { sent: 'new', forms: [...forms.filter((one) => one.at > at - keptMs), { ...form, at }] };
}

/** 128 bits, because the item holds many. */
export const hashOf = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(createHash('sha256').update(part).digest());
  return hash.digest().subarray(0, 16).toString('base64url');
};

export async function readSentForms(token: string): Promise<SentForms> {
  const [item] = await batchGet([keyOf.pageForms(token)]);
  return (item as unknown as SentForms | undefined) ?? { forms: [], version: 0 };
}

/** Part of the transaction that makes the claim. Its condition fails if another form was sent after this was read. */
export function putSentForms(token: string, before: SentForms, forms: readonly SentForm[], now: Date): Action {
  const item = {
    ...keyOf.pageForms(token),
    version: before.version + 1,
    forms,
    expires_at: Math.ceil((now.getTime() + keptMs) / 1000),
  };
  return before.version === 0 ? insert(item) : put(item, 'version = :before', { ':before': before.version });
}
