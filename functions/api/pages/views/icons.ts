import { anchor, type Html, html } from '#platform/html.ts';
import { type IconName, iconShapes } from '#schemas/look/icons.ts';

export const icon = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="${anchor(idOf(name))}"/></svg>`;

const idOf = (name: string) => `i-${name}`;

/** The symbols that the content uses. */
export function sprite(content: Html): Html {
  const used = Object.entries(iconShapes).filter(([name]) => content.text.includes(`"#${idOf(name)}"`));
  const symbols = used.map(
    ([name, d]) => html`<symbol id="${idOf(name)}" viewBox="0 0 24 24"><path d="${d}"/></symbol>`,
  );
  return html`<svg class="sprite" aria-hidden="true">${symbols}</svg>`;
}
