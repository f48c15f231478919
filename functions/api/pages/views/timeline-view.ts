import { counted, countryName, dayTitle, momentOf, numberText, put, todayIn } from '#domain/tracking-page/dates.ts';
import { foreign, type Html, html } from '#platform/html.ts';
import type { PageEvent, PageParcel } from '#schemas/shapes/tracking-page.ts';
import { cut } from './layout.ts';
import type { PageContext } from './view.ts';

/** A day of the journey, with its events newest first. */
interface Day {
  day: string;
  title: string;
  events: { event: PageEvent; clock: string }[];
}

/** Of a day. The others, mostly repeated scans, are folded. */
const shownEvents = 2;
/** Folding a single one saves nothing. */
const foldableEvents = 2;
const shownDays = 5;

/** The events newest first, grouped by the day at their places. */
export function timeline({ events }: PageParcel, id: string, context: PageContext): Html {
  const days = daysOf(events, context);
  if (days.length === 0) return html`<p class="muted">${context.texts.timeline.empty}</p>`;
  const isAbroad = new Set(events.map(({ location }) => location?.country_code).filter(Boolean)).size > 1;
  const views = days.map((day, i) => dayView(day, `${id}-${i}`, { isNewest: i === 0, isAbroad }, context));
  const [shown, earlier] = [views.slice(0, shownDays), views.slice(shownDays)];
  return html`${shown}${earlier.length > 0 && folded(`${id}-earlier`, context.texts.timeline.earlier, earlier.length, html`${earlier}`, context)}`;
}

function daysOf(events: readonly PageEvent[], context: PageContext): Day[] {
  const days: Day[] = [];
  for (const event of events) {
    const moment = momentOf(event, context);
    if (!moment) continue;
    const { day, clock } = moment;
    if (days.at(-1)?.day !== day) {
      days.push({ day, title: dayTitle(day, todayIn(event.timezone, context), context.language), events: [] });
    }
    days.at(-1)!.events.push({ event, clock });
  }
  return days;
}

interface Look {
  isNewest: boolean;
  isAbroad: boolean;
}

function dayView({ day, title, events }: Day, id: string, { isNewest, isAbroad }: Look, context: PageContext): Html {
  const items = events.map(({ event, clock }, i) => eventView(event, clock, isNewest && i === 0, isAbroad, context));
  const isFolded = items.length >= shownEvents + foldableEvents;
  const rest = isFolded ? items.slice(shownEvents) : [];
  return html`<div class="day"><h3><time datetime="${day}">${title}</time></h3><ol class="scans">${isFolded ? items.slice(0, shownEvents) : items}</ol>${
    isFolded && folded(id, context.texts.timeline.more, rest.length, html`<ol class="scans">${rest}</ol>`, context)
  }</div>`;
}

function eventView(event: PageEvent, clock: string, isNewest: boolean, isAbroad: boolean, context: PageContext): Html {
  const place = placeOf(event, isAbroad, context);
  return html`<li class="${isNewest ? 'newest' : 'past'}"><time datetime="${event.time}">${clock}</time><div><strong>${event.event_strings.list_label}</strong>${place && html`<span class="muted">${place}</span>`}</div></li>`;
}

/** @param isAbroad whether the journey crosses a border, so that the country says something */
export function placeOf({ location }: PageEvent, isAbroad: boolean, context: PageContext): Html | undefined {
  const country = isAbroad || !location?.city ? countryName(location?.country_code ?? null, context) : undefined;
  const names = [location?.city, country].filter((name) => name != null && name !== '');
  return names.length > 0 ? foreign(cut(names.join(', '), 100)) : undefined;
}

function folded(
  id: string,
  forms: PageContext['texts']['timeline']['more'],
  count: number,
  content: Html,
  context: PageContext,
): Html {
  const summary = put(counted(forms, count, context), { count: numberText(count, context) });
  return html`<details id="${id}"><summary>${summary}</summary>${content}</details>`;
}
