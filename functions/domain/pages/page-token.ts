import { randomBytes } from 'node:crypto';

/** 128 random bits: whoever has the link may see the page, and nobody can guess one. */
const tokenBytes = 16;

const newPageToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** The order with a tracking page. An order that is older than these pages gets one when its shop changes it. */
export const withPage = <O extends { page_token?: string }>(order: O): O & { page_token: string } => ({
  ...order,
  page_token: order.page_token ?? newPageToken(),
});

const syntax = /^[\w-]{22}$/;

/** Whether a text can be a token at all. What cannot is not looked up. */
export const isPageToken = (text: string): boolean => syntax.test(text);

export const trackingPageUrl = (serviceUrl: string, token: string): string => `${serviceUrl}/t/${token}`;
