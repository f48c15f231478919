import { domainToASCII } from 'node:url';

/** SES takes ASCII only, and what else stands there would be a list or a name with an address. */
const localPart = /^[\x21-\x7e]{1,64}$/;
const special = /[\s<>,;:"()[\]\\]/;

/** Undefined if it is none that a mail could go to. A domain with other letters is written as mail servers know it. */
export function addressIn(text: string | null | undefined): string | undefined {
  const [local = '', domain = '', ...more] = (text?.trim() ?? '').split('@');
  if (more.length > 0 || !localPart.test(local) || special.test(local + domain)) return undefined;
  const known = /^[\x21-\x7e]*$/.test(domain) ? domain : domainToASCII(domain);
  return /^[^.].*\.[^.]+$/.test(known) ? `${local}@${known}` : undefined;
}
