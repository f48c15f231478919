import type { Fact, Items, Link, MailContent, Offer, Place } from './mail-content.ts';

/** The mail for those who read it as plain text. Parts are apart by an empty line, and an address has a line of its own. */
export function mailText(content: MailContent): string {
  const { brand, order, parcel, state, title, lines, progress, quote, story, button, place, details, items, offer } =
    content;
  const parts = [
    [brand.name, order],
    [parcel, state?.word ?? null, title],
    lines,
    progress && [`${progress.name} (${progress.count})`],
    quote && [quote.title, ...quote.text.split('\n').map((line) => `> ${line}`.trimEnd())],
    ...story.map(factLines),
    linkLines(button),
    place && placeLines(place),
    ...details.map(factLines),
    items && itemLines(items),
    offer && offerLines(offer),
    ['————————'],
    footerLines(content),
  ];
  const texts = parts.map((part) => (part ?? []).filter((line) => line !== null).join('\n'));
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

const linkLines = ({ label, url }: Link): string[] => [label, url];

const factLines = ({ label, text, url }: Fact): string[] => [label, text, ...(url ? [url] : [])];

function placeLines({ title, lines, until, hours, link }: Place): (string | null)[] {
  const days = hours ? ['', hours.title, ...hours.days.map(({ name, times }) => `${name}: ${times}`)] : [];
  return [title, ...lines, until, ...days, ...(link ? ['', ...linkLines(link)] : [])];
}

const itemLines = ({ title, list, more }: Items): (string | null)[] => [
  title,
  ...list.map((item) => `- ${[item.title, item.detail].filter((part) => part !== null).join(' · ')}`),
  more,
];

const offerLines = ({ label, title, subtitle, code, products, link }: Offer): (string | null)[] => [
  label,
  title,
  subtitle,
  code && `${code.label}: ${code.text}`,
  ...products.flatMap((product) => [`- ${product.title}`, product.url]),
  ...(link ? linkLines(link) : []),
];

const footerLines = ({ footer: { reason, end, links } }: MailContent): string[] => [
  reason,
  ...[end, ...links].flatMap((link) => (link ? ['', ...linkLines(link)] : [])),
];
