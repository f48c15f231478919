import type english from './en.json';

/**
 * The service says what is wrong with a field in English sentences for developers. These are its sentences, by the name of
 * the console's own words for them (`errors.faults`). A test holds them against every sentence that the service can say.
 * The first that matches counts. What `(?<names>)` hold is filled into the text.
 */
const sentences: readonly [FaultName, RegExp][] = [
  ['required', /^is required/],
  ['required', /^must have at least 1 character$/],
  ['needsItem', /^must have at least 1 item$/],
  ['tooShort', /^must have at least (?<count>\d+) characters$/],
  ['tooLong', /^must have at most (?<count>\d+) characters$/],
  ['tooFew', /^must have at least (?<count>\d+) items$/],
  ['tooMany', /^must have at most (?<count>\d+) (items|fields|texts|parts)$/],
  ['tooMuch', /^must have at most .+$|^is too long$/],
  ['tooSmall', /^must be (?<limit>-?[\d.e+-]+) or more$/],
  ['tooLarge', /^must be (?<limit>-?[\d.e+-]+) or less$/],
  ['operatorValue', /^must be .+ with the operator \w+$/],
  ['noHoldout', /^must be 0 or null if has_holdout is false$/],
  ['nearZero', /^must be 0, or differ from 0 by more than/],
  ['wholeNumber', /^must be (null or )?a whole number( or null)?$/],
  ['number', /^must be (null or )?a number( or null)?$/],
  ['wrongKind', /^must be (a string|true or false|an object|a list|null|a number|a whole number)( or |$)/],
  ['file', /^must be one part that contains a file$/],
  ['oneOf', /^must be one of /],
  ['time', /^must be a valid (date-time|date|time|utc-time)$/],
  ['email', /^must be a valid email$/],
  ['url', /^must be a valid (uri|url|uri-reference)$/],
  ['id', /^must be a valid uuid$/],
  ['pattern', /^must (be a valid |match the pattern )/],
  ['url', /^must begin with http:\/\/ or https:\/\/$|^must be an absolute URL/],
  ['needsHttps', /^must be an https URL$/],
  ['publicAddress', /^must be a public address$|^must have the IP address in its usual form/],
  ['badLink', /^must not begin with /],
  ['endAfterStart', /^must be after start_date$/],
  ['untilAfterSince', /^must not be before (since|from)$/],
  ['fromAfterTo', /^must not be after to, which is /],
  ['daysTooMany', /^must be at most (?<count>\d+) days before the end of /],
  ['twice', /^must appear only once in the (test|list)$/],
  ['shares', /^must have allocations that add up to 100 percent with the holdout, not (?<sum>.+)$/],
  ['campaignType', /^must not be a campaign of the type /],
  ['typeInTest', /^must not change while the campaign belongs to an A\/B test$/],
  ['takenByCampaign', / It is the campaign (?<uuid>[\da-f-]{36}): (?<name>.+)$/s],
  ['takenByTest', / It is the A\/B test (?<uuid>[\da-f-]{36}): (?<name>.+)$/s],
  ['segmentFull', /^already has too many planned campaigns or tests/],
  ['needsClaims', /^must be used with a trigger for events of claims$/],
  ['slugOfShop', /^must be the slug of the shop$/],
  ['whoIsMeant', /^must have at least one of email_id, /],
  ['oneTrigger', /^must have exactly one of the fields event_group and ref$/],
  ['oneMode', /^must have exactly one of the fields all and any$/],
  ['fieldBegins', /^must begin with one of (?<list>.+)$/],
  ['draftEvent', /^must come before the transit or cancel the shipment/],
  ['full', /^cannot be added, because (?:the shop already has|there are already) (?<count>\d+)/],
  ['simulationsFull', /^cannot be started, because the shop already has (?<count>\d+) running simulations/],
  ['withinDays', /^must be within (?<count>\d+) days of now$/],
  ['sameInParcel', /^must be the same in all steps of a parcel$/],
  ['journeyOrSteps', /^must have either a journey or steps$/],
  ['clockGoal', /^must have one of by_minutes, to and steps$/],
  ['carrier', /^must be a known carrier reference$/],
  ['adminAddress', /^must be a shop with a shop_admin_url/],
  ['shopwareFirst', /^must be a shop with the shop_provider shop_system_2/],
  ['withApp', /^must be of another shop system: the webhooks of shop_system_2/],
  ['asChange', /^must be order-update, by which /],
  ['inactiveEndpoint', /^must be an active endpoint/],
  ['noMail', /^is an address that cannot get e-mails$/],
  ['noAddress', /^must have an address/],
  ['otherKey', /^must have a key for its present address/],
  ['noKey', /^must have a key/],
  ['otherParcel', /^must be the (tracking number of the shipment|number of the order that the shipment belongs to)$/],
  ['otherParcel', /^must be the same as the id$/],
  ['manyOrders', /^must not be the tracking number of more than (?<count>\d+) orders$/],
  ['longList', /^is too far from the start of the list|^matches nothing in the part of the list/],
  ['longList', /because one request cannot read enough|more shipments than one request can count/],
  ['longList', /^must be .+, with page 1, to continue/],
  ['notLongAgo', /^must not be more than (?<count>\d+) days ago$/],
  ['badText', /^must not contain half of a character/],
  ['request', /^must not be nested deeper|^must not contain __proto__|^must be valid JSON$|^must have the header /],
  ['request', /^must be complete and valid multipart|^cannot be given together with event_name$/],
  ['request', /^must be that of the registration$/],
  ['request', /^has a field name that |^is no cursor of /],
  ['more', /^may have more errors/],
  ['wrong', /^is not valid$/],
  ['wrongKind', /^must be \S+$/],
];

type FaultName = keyof (typeof english)['errors']['faults'];

export interface FaultWords {
  name: FaultName;
  /** Of a sentence, all are texts. */
  values: Record<string, string>;
}

/** What the console says for a sentence of the service. */
export function faultWords(sentence: string): FaultWords {
  for (const [name, form] of sentences) {
    const found = form.exec(sentence);
    if (found) return { name, values: { ...found.groups } };
  }
  return { name: 'wrong', values: {} };
}

/**
 * Whether a value that was changed after the service refused it is still wrong in the same way. Only the service knows for
 * certain; what this cannot tell is taken as mended.
 */
export function isStillWrong({ name, values }: FaultWords, value: unknown, startDate?: unknown): boolean {
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (name) {
    case 'required':
      return text === '';
    case 'needsItem':
      return Array.isArray(value) && value.length === 0;
    case 'tooShort':
      return text !== undefined && text.length < Number(values.count);
    case 'tooLong':
      return text !== undefined && text.length > Number(values.count);
    case 'tooSmall':
      return text === '' || Number(text) < Number(values.limit);
    case 'tooLarge':
      return Number(text) > Number(values.limit);
    case 'number':
    case 'wholeNumber':
      return text === '' || Number.isNaN(Number(text));
    case 'needsHttps':
    case 'url':
      return text !== undefined && !/^https?:\/\/[^/]/i.test(text);
    case 'endAfterStart':
      return typeof startDate === 'string' && text !== '' && Date.parse(text ?? '') <= Date.parse(startDate);
    default:
      return false;
  }
}
