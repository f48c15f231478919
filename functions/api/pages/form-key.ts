import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import type { OpenPage } from './open-page.ts';

/**
 * The hidden field of a form, which only the page itself can contain: `<time of issue>.<random>.<signature>`. Whoever
 * makes a customer's browser send a form from another site cannot know it. Each showing of the form has its own.
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
  const issue = `${now.getTime().toString(36)}.${randomBytes(6).toString('base64url')}`;
  return `${issue}.${signature(token, secret, issue)}`;
}

export function isValidFormKey(formKey: string, token: string, secret: FormSecret, now: Date): boolean {
  const [, issue, issuedAt, given] = /^(([0-9a-z]{1,9})\.[\w-]{8})\.([\w-]{43})$/.exec(formKey) ?? [];
  if (!issue || !issuedAt || !given) return false;
  const isSigned = timingSafeEqual(Buffer.from(given), Buffer.from(signature(token, secret, issue)));
  const age = now.getTime() - Number.parseInt(issuedAt, 36);
  return isSigned && age >= -toleranceMs && age < validMs;
}

const signature = (token: string, { orderId, shopId }: FormSecret, issue: string) =>
  createHmac('sha256', `${shopId}.${orderId}`).update(`${token}.${issue}`).digest('base64url');

interface Sending {
  headers: Record<string, string | undefined>;
  now: Date;
}

/** Whether the form that was sent stood on the page itself. The browser says where it stood, the key proves it. */
export function isFromPage({ headers, now }: Sending, formKey: string, place: OpenPage): boolean {
  return headers['sec-fetch-site'] !== 'cross-site' && isValidFormKey(formKey, place.page.token, secretOf(place), now);
}

/** Each showing has a fresh key, so that a form that is sent again after a fault is a new one. */
export const freshKey = (place: OpenPage, now: Date): string => newFormKey(place.page.token, secretOf(place), now);

const secretOf = ({ page, storefront }: OpenPage): FormSecret => ({
  orderId: page.orderId,
  shopId: storefront.shop.uuid,
});
