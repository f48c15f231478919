import { createHmac, timingSafeEqual } from 'node:crypto';
import { pageLimits } from '#schemas/catalogues/limits.ts';

/**
 * The hidden field of a form, which only the page itself can contain: `<time of issue>.<signature>`. Whoever makes a
 * customer's browser send a form from another site cannot know it.
 */

/** The ids of the order and its shop. No page shows them. */
export interface FormSecret {
  orderId: string;
  shopId: string;
}

const validMs = pageLimits.formHours * 3_600_000;

/** The clocks of two machines may differ. */
const toleranceMs = 60_000;

export function newFormKey(token: string, secret: FormSecret, now: Date): string {
  const issuedAt = now.getTime().toString(36);
  return `${issuedAt}.${signature(token, secret, issuedAt)}`;
}

export function isValidFormKey(formKey: string, token: string, secret: FormSecret, now: Date): boolean {
  const [, issuedAt, given] = /^([0-9a-z]{1,9})\.([\w-]{43})$/.exec(formKey) ?? [];
  if (!issuedAt || !given) return false;
  const isSigned = timingSafeEqual(Buffer.from(given), Buffer.from(signature(token, secret, issuedAt)));
  const age = now.getTime() - Number.parseInt(issuedAt, 36);
  return isSigned && age >= -toleranceMs && age < validMs;
}

const signature = (token: string, { orderId, shopId }: FormSecret, issuedAt: string) =>
  createHmac('sha256', `${shopId}.${orderId}`).update(`${token}.${issuedAt}`).digest('base64url');
