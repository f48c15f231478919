import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The SuperAdmin key of the local stack that runs in this folder. */
export function ownKey(): string {
  const file = join(resolve(process.env.DATA_DIR || '.local'), 'superadmin.json');
  try {
    const { username, secret } = JSON.parse(readFileSync(file, 'utf8'));
    return `${username}:${secret}`;
  } catch {
    throw new Error('There is no key. Start the service with npm start, or give one: --key USERNAME:SECRET');
  }
}

/** Where the local stack is unless somebody says otherwise. */
export const ownUrl = (): string => `http://127.0.0.1:${process.env.PORT || 3000}`;

/** Only a service on this machine can reach a server on it. */
export function isOnThisMachine(serviceUrl: string): boolean {
  const { hostname } = new URL(serviceUrl);
  return hostname === '[::1]' || /(^|\.)localhost$/.test(hostname) || /^127(\.\d+){3}$/.test(hostname);
}
