import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escaped } from '../../docs/markdown.ts';
import type { KeptMails } from './kept-mails.ts';
import { addressIn, type SentMail } from './send-email.ts';

const path = '/mail';

/** Shows what was sent, at /mail. Only the local stack has this page. */
export class MailboxPage {
  readonly #mails: KeptMails;

  constructor(mails: KeptMails) {
    this.#mails = mails;
  }

  /** Answers a request for the mailbox, and says whether it was one. */
  answer({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean {
    const [place = ''] = url.split('?', 1);
    if ((method !== 'GET' && method !== 'HEAD') || (place !== path && !place.startsWith(`${path}/`))) return false;
    const id = place.slice(path.length + 1);
    const mail = id === '' ? undefined : this.#mails.find(id);
    if (id === '') show(response, 200, 'Mail', listOf(this.#mails.list()));
    else if (mail) show(response, 200, mail.subject, oneOf(mail));
    else show(response, 404, 'Mail', notFound);
    return true;
  }
}

const listOf = (mails: readonly SentMail[]): string => `
<h1>Mail</h1>
<p class="lead">What the service would have sent. Nothing leaves this machine.</p>
${mails.length === 0 ? empty : `<ul class="mails">${mails.map(rowOf).join('')}</ul>`}`;

const empty = `<p class="card">No mail yet. Switch the e-mails of a shop on, and let a parcel move: its customer’s mail is here
a moment later.</p>`;

const rowOf = ({ id, subject, to, from, at }: SentMail): string => `
<li><a href="${path}/${encodeURIComponent(id)}"><strong>${escaped(subject)}</strong>
<span>${escaped(to)}</span> <span>${escaped(nameIn(from))}</span> ${timeOf(at)}</a></li>`;

const oneOf = (mail: SentMail): string => `
<p><a href="${path}">All mail</a></p>
<h1>${escaped(mail.subject)}</h1>
<p class="lead">To ${escaped(mail.to)}, ${timeOf(mail.at)}</p>
<h2>As HTML</h2>
${mail.html === '' ? '<p class="card">This mail has no HTML.</p>' : frameOf(mail)}
<h2>As text</h2>
<pre class="card">${escaped(mail.text)}</pre>
<h2>Headers</h2>
${tableOf(mail.headers)}
<h2>Tags</h2>
${Object.keys(mail.tags).length === 0 ? '<p class="card">None.</p>' : tableOf(mail.tags)}`;

/** Nothing of the mail runs, and its links open in windows of their own. */
const frameOf = ({ subject, html }: SentMail): string => `
<iframe title="${escaped(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escaped(inNewWindow(html))}"></iframe>`;

const inNewWindow = (content: string): string =>
  /<head[^>]*>/i.test(content)
    ? content.replace(/<head[^>]*>/i, (head) => `${head}<base target="_blank">`)
    : `<base target="_blank">${content}`;

const tableOf = (values: Record<string, string>): string => {
  const rows = Object.entries(values).map(
    ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  return `<table class="card"><tbody>${rows.join('')}</tbody></table>`;
};

const notFound = `
<h1>There is no such mail</h1>
<p class="lead">It is older than the thousand that are kept, or there never was one. <a href="${path}">All mail</a></p>`;

const timeOf = (at: string): string =>
  `<time datetime="${escaped(at)}">${escaped(`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`)}</time>`;

/** The name of `"Name" <address>`, decoded (RFC 2047). */
function nameIn(mailbox: string): string {
  const name = mailbox.slice(0, mailbox.lastIndexOf('<')).trim();
  if (name === '') return addressIn(mailbox);
  if (!name.startsWith('=?')) return name.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');
  const words = name.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g);
  return [...words].map(([, word]) => Buffer.from(word!, 'base64').toString()).join('');
}

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

const look = ['tokens.css', 'colours.css', 'elements.css'].map((file) => `../../../schemas/look/${file}`);

function show(response: ServerResponse, status: number, title: string, main: string): void {
  const style = [...look, 'mailbox.css'].map(read).join('\n');
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    // A mail may show images of any shop. Its frame has this policy too.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; frame-src 'self'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<link rel="icon" href="data:,"><style>${style}</style></head><body><main>${main}</main></body></html>`);
}
