import { anchor, type Html, html } from '#platform/html.ts';
import { icon } from './icons.ts';

/** What is wrong with a form: once above it, and beside each field. */

interface Message {
  /** The id of the field. Undefined for the form as a whole. */
  field: string | undefined;
  message: string;
}

export function summaryView(title: string, messages: readonly Message[]): Html | null {
  if (messages.length === 0) return null;
  const items = messages.map(({ field, message }) =>
    field ? html`<li><a href="${anchor(field)}">${message}</a></li>` : html`<li>${message}</li>`,
  );
  return html`<div class="card faults" role="alert" tabindex="-1" autofocus><p class="tone">${icon('warning')}${title}</p><ul>${items}</ul></div>`;
}

/** The field names it with `aria-describedby`. */
export const faultView = (field: string, message: string): Html =>
  html`<p class="fault" id="${field}-fault">${icon('warning')}<span>${message}</span></p>`;
