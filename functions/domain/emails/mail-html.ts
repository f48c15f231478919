import { rangesIn, tagOf } from '#domain/tracking-page/dates.ts';
import type { Tone } from '#domain/tracking-page/journey.ts';
import { type Html, html, jsonLd, link, nothing, ownElement, type Style, styled } from '#platform/html.ts';
import { type Colours, coloursOf, type Scheme } from '#schemas/look/palette.ts';
import {
  type Fact,
  type Items,
  type Link,
  type MailContent,
  type MailReader,
  type Offer,
  type Place,
  pictureLink,
} from './mail-content.ts';

/**
 * The mail as mail programs show it: tables, because Outlook knows no other layout; styles at the elements, because some
 * drop all others; one style element for what these cannot say, dark mode and small screens. Nothing needs a picture.
 */
export function mailHtml(content: MailContent, reader: MailReader): string {
  const { theme } = reader;
  const paint = painter(coloursOf(content.brand.palette, theme ?? 'light'));
  const body = bodyOf(content, paint);
  return html`<!doctype html>
<html lang="${tagOf(reader.language)}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="supported-color-schemes" content="${theme ?? 'light dark'}">
<title>${content.subject}</title>
${ownElement('style', stylesOf(content, theme))}
${content.facts && jsonLd(content.facts)}
</head>
<body class="ground" style="${paint({ margin: 0, padding: 0 }, 'ground')}">
${body}
</body>
</html>
`.text;
}

/** The colours of the palette that an element can have: the property, and the name of its class for dark mode. */
const paints = {
  ground: ['background-color', 'ground'],
  surface: ['background-color', 'surface'],
  soft: ['background-color', 'soft'],
  logo: ['background-color', 'logo'],
  accent: ['background-color', 'accent'],
  line: ['background-color', 'line'],
  offer: ['background-color', 'offer'],
  text: ['color', 'text'],
  muted: ['color', 'muted'],
  link: ['color', 'link'],
  arrived: ['color', 'arrived'],
  attention: ['color', 'attention'],
  failed: ['color', 'failed'],
  'on-accent': ['color', 'on-accent'],
  'on-offer': ['color', 'on-offer'],
  'on-logo': ['color', 'on-logo'],
} as const satisfies Record<string, readonly ['color' | 'background-color', keyof Colours]>;

type Paint = keyof typeof paints;
type Declarations = Parameters<typeof styled>[0];
type Painter = (declarations: Declarations, ...names: Paint[]) => Style;

const painter =
  (colours: Colours): Painter =>
  (declarations, ...names) =>
    styled({
      ...declarations,
      ...Object.fromEntries(names.map((name) => [paints[name][0], colours[paints[name][1]]])),
    });

const font = '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

function stylesOf({ brand }: MailContent, theme: Scheme | undefined): string {
  const dark = coloursOf(brand.palette, 'dark');
  const rules = Object.entries(paints).map(
    ([name, [property, colour]]) => `.${name}{${property}:${dark[colour]}!important}`,
  );
  return [
    `body,table,td,p,h1,h2,a{font-family:${font}}`,
    'body{-webkit-text-size-adjust:100%}',
    '@media (max-width:480px){.pad{padding-left:16px!important;padding-right:16px!important}h1{font-size:24px!important;line-height:30px!important}}',
    theme ? '' : `@media (prefers-color-scheme:dark){${rules.join('')}}`,
  ].join('');
}

function bodyOf(content: MailContent, paint: Painter): Html {
  const sections = [
    headerOf(content, paint),
    answerOf(content, paint),
    nextOf(content, paint),
    placeOf(content.place, paint),
    detailsOf(content.details, paint),
    itemsOf(content.items, paint),
    offerOf(content.offer, paint),
    footerOf(content, paint),
  ];
  const rows = sections.map(
    (section, i) =>
      section &&
      html`<tr><td class="pad" style="${styled({ padding: `${i === 0 ? 24 : 0}px 24px 24px` })}">${section}</td></tr>`,
  );
  const preheader = styled({
    display: 'none',
    'max-height': 0,
    overflow: 'hidden',
    'font-size': '1px',
    'line-height': '1px',
    'mso-hide': 'all',
  });
  // Outlook on Windows knows no greatest width, but reads these comments.
  return html`<div style="${preheader}">${content.preheader}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="${paint({ width: '100%' }, 'ground')}"><tr><td align="center" style="${styled({ 'font-family': font })}">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" align="center" style="${styled({ width: '100%', 'max-width': '600px', 'text-align': 'left', 'word-break': 'break-word' })}">
${rows}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>`;
}

const size = (pixels: 12 | 14 | 16 | 20 | 28) => ({
  'font-size': `${pixels}px`,
  'line-height': `${{ 12: 18, 14: 20, 16: 24, 20: 28, 28: 34 }[pixels]}px`,
});

const paragraph = (content: Html | string, paint: Painter, name: Paint = 'text', below = 8): Html =>
  html`<p class="${name}" style="${paint({ margin: `0 0 ${below}px`, ...size(name === 'muted' ? 14 : 16) }, name)}">${content}</p>`;

const subheading = (text: string, paint: Painter, name: Paint = 'text'): Html =>
  html`<h2 class="${name}" style="${paint({ margin: '0 0 8px', ...size(20), 'font-weight': 'bold' }, name)}">${text}</h2>`;

const anchorTo = (url: string, label: string | Html, paint: Painter, name: Paint = 'link'): Html => {
  const address = link(url);
  return address
    ? html`<a class="${name}" href="${address}" style="${paint({ 'text-decoration': 'underline' }, name)}">${label}</a>`
    : html`${label}`;
};

/** Alone on its ground, with room around. */
function card(content: Html, paint: Painter, name: 'surface' | 'offer'): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="${name}" style="${paint({ padding: '16px', 'border-radius': '12px' }, name)}">${content}</td></tr></table>`;
}

function headerOf({ brand, shopUrl, order }: MailContent, paint: Painter): Html {
  const picture = link(pictureLink(brand.logo_url));
  // Most logos are made for a light ground, and without pictures the name stands there.
  const [ground, ink]: [Paint, Paint] = picture ? ['logo', 'on-logo'] : ['ground', 'text'];
  const shown = picture
    ? html`<img src="${picture}" alt="${brand.name}" height="48" style="${styled({ border: 0, height: '48px', 'max-width': '240px' })}">`
    : brand.name;
  const address = link(shopUrl);
  const name = address
    ? html`<a class="${ink}" href="${address}" style="${paint({ 'text-decoration': 'none' }, ink)}">${shown}</a>`
    : html`${shown}`;
  const room = picture ? '8px' : 0;
  const style = paint({ padding: room, 'border-radius': '6px', ...size(20), 'font-weight': 'bold' }, ground, ink);
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="${ground} ${ink}" style="${style}">${name}</td></tr></table><p class="muted" style="${paint({ margin: '4px 0 0', ...size(14) }, 'muted')}">${order}</p>`;
}

/** A word carries the meaning. The sign is for those who skim, and no mail program makes a coloured picture of it. */
const signs: Record<Tone, string> = { moving: '→', arrived: '✓', attention: '▲', failed: '✕' };

function answerOf({ parcel, state, title, lines, progress }: MailContent, paint: Painter): Html {
  const name = state && state.tone !== 'moving' ? state.tone : 'link';
  return html`${parcel && paragraph(parcel, paint, 'muted', 4)}${
    state &&
    html`<p class="${name}" style="${paint({ margin: '0 0 4px', ...size(14), 'font-weight': 'bold' }, name)}"><span aria-hidden="true">${signs[state.tone]} </span>${state.word}</p>`
  }<h1 class="text" style="${paint({ margin: '0 0 8px', ...size(28), 'font-weight': 'bold' }, 'text')}">${unbroken(title)}</h1>${lines.map((line) => paragraph(line, paint))}${progress && progressOf(progress, paint)}`;
}

const unbroken = (sentence: string): (Html | string)[] =>
  rangesIn(sentence).map((part, i) =>
    i % 2 === 1 ? html`<span style="${styled({ 'white-space': 'nowrap' })}">${part}</span>` : part,
  );

function progressOf({ total, current, name, count }: NonNullable<MailContent['progress']>, paint: Painter): Html {
  const cells = Array.from({ length: total }, (_, i) => {
    const colour = i <= current ? 'accent' : 'line';
    const style = paint({ height: '8px', 'font-size': '1px', 'line-height': '8px', 'border-radius': '4px' }, colour);
    return html`${i > 0 && html`<td width="4" style="${styled({ 'font-size': '1px' })}">&nbsp;</td>`}<td class="${colour}" height="8" style="${style}">&nbsp;</td>`;
  });
  return html`<table role="presentation" aria-hidden="true" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styled({ margin: '16px 0 8px', 'table-layout': 'fixed' })}"><tr>${cells}</tr></table><p class="text" style="${paint({ margin: 0, ...size(14) }, 'text')}"><strong>${name}</strong> <span class="muted" style="${paint({}, 'muted')}">· ${count}</span></p>`;
}

/** What there is to know and to do, with the one button. */
function nextOf({ quote, story, button }: MailContent, paint: Painter): Html {
  const said =
    quote &&
    html`${subheading(quote.title, paint)}<p class="text" style="${paint({ margin: '0 0 16px', ...size(16) }, 'text')}">${broken(quote.text)}</p>`;
  return card(html`${said}${story.map((fact) => factOf(fact, paint))}${buttonOf(button, paint)}`, paint, 'surface');
}

const broken = (text: string): Html[] =>
  text.split('\n').map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`));

function factOf({ label, text, url }: Fact, paint: Painter): Html {
  const shown = url ? anchorTo(url, text, paint) : unbroken(text);
  return html`<p class="text" style="${paint({ margin: '0 0 12px', ...size(16) }, 'text')}"><span class="muted" style="${paint(size(14), 'muted')}">${label}</span><br>${shown}</p>`;
}

/** Outlook on Windows knows no room around a link, but around a cell. */
function buttonOf({ label, url }: Link, paint: Painter): Html {
  const address = link(url);
  if (!address) return nothing;
  const style = paint(
    { display: 'inline-block', padding: '12px 20px', ...size(16), 'font-weight': 'bold', 'text-decoration': 'none' },
    'on-accent',
  );
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${styled({ margin: '4px 0 0' })}"><tr><td class="accent" style="${paint({ 'border-radius': '6px', 'mso-padding-alt': '12px 20px' }, 'accent')}"><a class="on-accent" href="${address}" style="${style}">${label}</a></td></tr></table>`;
}

function placeOf(place: Place | null, paint: Painter): Html | null {
  if (!place) return null;
  const { title, lines, until, hours, link: about } = place;
  const rows = hours?.days.map(
    ({ name, times }) =>
      html`<tr><td class="text" style="${paint({ padding: '2px 16px 2px 0', ...size(14) }, 'text')}">${name}</td><td class="text" style="${paint({ padding: '2px 0', ...size(14) }, 'text')}">${times}</td></tr>`,
  );
  return html`${subheading(title, paint)}${paragraph(html`${lines.map((line, i) => html`${i > 0 && html`<br>`}${line}`)}`, paint)}${
    until && paragraph(html`<strong>${until}</strong>`, paint)
  }${
    hours &&
    html`${paragraph(hours.title, paint, 'muted', 4)}<table role="presentation" cellpadding="0" cellspacing="0" border="0">${rows}</table>`
  }${about && paragraph(anchorTo(about.url, about.label, paint), paint)}`;
}

const detailsOf = (details: readonly Fact[], paint: Painter): Html | null =>
  details.length > 0 ? html`${details.map((fact) => factOf(fact, paint))}` : null;

function itemsOf(items: Items | null, paint: Painter): Html | null {
  if (!items) return null;
  const { title, list, more } = items;
  const hasPictures = list.some(({ picture }) => picture !== null);
  const shown = hasPictures
    ? html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${list.map((item, i) => picturedItem(item, i > 0, paint))}</table>`
    : list.map((item) => paragraph(itemText(item, paint), paint));
  return html`${subheading(title, paint)}${shown}${more && paragraph(more, paint, 'muted', 0)}`;
}

type Item = Items['list'][number];

const itemText = ({ title, detail }: Item, paint: Painter): Html =>
  html`${title}${detail && html`<br><span class="muted" style="${paint(size(14), 'muted')}">${detail}</span>`}`;

function picturedItem(item: Item, isNext: boolean, paint: Painter): Html {
  const picture = link(item.picture);
  const image =
    picture &&
    html`<img src="${picture}" alt="" width="56" height="56" style="${styled({ display: 'block', border: 0, 'border-radius': '6px' })}">`;
  const gap = html`<tr><td height="8" style="${styled({ height: '8px', 'font-size': '1px', 'line-height': '8px' })}">&nbsp;</td></tr>`;
  const box = paint({ width: '56px', height: '56px', 'border-radius': '6px' }, 'soft');
  return html`${isNext && gap}<tr><td width="56" valign="top" style="${styled({ width: '56px', 'vertical-align': 'top' })}"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="soft" width="56" height="56" style="${box}">${image || html`&nbsp;`}</td></tr></table></td><td class="text" style="${paint({ padding: '4px 0 4px 12px', ...size(16), 'vertical-align': 'top' }, 'text')}">${itemText(item, paint)}</td></tr>`;
}

function offerOf(offer: Offer | null, paint: Painter): Html | null {
  if (!offer) return null;
  const { label, title, subtitle, code, products, link: open } = offer;
  const line = (content: Html | string) =>
    html`<p class="on-offer" style="${paint({ margin: '0 0 8px', ...size(16) }, 'on-offer')}">${content}</p>`;
  return card(
    html`<p class="on-offer" style="${paint({ margin: '0 0 4px', ...size(14) }, 'on-offer')}">${label}</p>${subheading(title, paint, 'on-offer')}${
      subtitle && line(subtitle)
    }${code && line(html`${code.label}: <strong>${code.text}</strong>`)}${products.map((product) => line(product.url ? anchorTo(product.url, product.title, paint, 'on-offer') : product.title))}${
      open && line(html`<strong>${anchorTo(open.url, open.label, paint, 'on-offer')}</strong>`)
    }`,
    paint,
    'offer',
  );
}

function footerOf({ footer: { reason, end, links } }: MailContent, paint: Painter): Html {
  const shown = [...links, ...(end ? [end] : [])].map(({ label, url }, i) => {
    const gap = i > 0 && html` &nbsp;·&nbsp; `;
    return html`${gap}${anchorTo(url, label, paint, 'muted')}`;
  });
  const style = paint({ margin: '0 0 8px', ...size(12) }, 'muted');
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="line" height="1" style="${paint({ height: '1px', 'font-size': '1px', 'line-height': '1px' }, 'line')}">&nbsp;</td></tr></table><p style="${styled({ margin: 0, ...size(12) })}">&nbsp;</p><p class="muted" style="${style}">${reason}</p>${shown.length > 0 && html`<p class="muted" style="${style}">${shown}</p>`}`;
}
