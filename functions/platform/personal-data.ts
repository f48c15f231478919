import type { PersonalStore } from '#schemas/catalogues/personal-stores.ts';

/**
 * Every stored shape says here, field by field, what of it is about a person. A field without a word does not compile. What
 * an erasure removes, what an erased order refuses, and the page for the privacy officer are made from these words.
 */

/** What the service knows about a person, in the words of the privacy page. */
export const personalKinds = {
  name: 'The name of the customer.',
  address: 'The address of the customer, with its zip code and country.',
  email: 'The e-mail address of the customer.',
  phone: 'The phone number of the customer.',
  customer_id: 'The id of the customer in the shop’s own system.',
  note: 'What the customer or the shop noted on the order.',
  browser: 'What the browser of the customer says about itself.',
  attribution: 'How the customer came to the shop: campaigns, pages and links.',
  link: 'A link that may open pages about the customer.',
  segment: 'The segments that the shop put the customer into.',
  place: 'Where a parcel was on its way to the customer, and where it can be collected.',
  free_text: 'Texts that people or carriers wrote, which may name the customer.',
  image: 'Pictures that the customer sent, and the customer’s signature.',
  visit: 'When the customer looked at the tracking page, and the language of the last visit.',
} as const;

export type PersonalKind = keyof typeof personalKinds;

/** It stays: numbers, products, amounts, phases, times, and ids that the shop or the service made. */
export const kept = 'kept';
type Kept = typeof kept;

const kindsOf = Symbol('kinds');
const elementsOf = Symbol('elements');
const choiceOf = Symbol('choice');

/** It goes, and `by` stands in its place. */
export interface Personal<By> {
  [kindsOf]: readonly PersonalKind[];
  by: By;
}

interface Each<T> {
  [elementsOf]: Declared<T> | Either<T>;
}

/** Which of two declarations holds, the value decides. */
interface Either<T> {
  [choiceOf]: (value: T) => boolean;
  yes: Declared<T>;
  no: Declared<T>;
}

/** The words for the fields of a shape. */
export type Declared<T> = { [Field in keyof T]-?: DeclaredField<T[Field]> };

// `By` has to be a value that the field can have: undefined only if it is optional.
type DeclaredField<Value> = Kept | Personal<Value> | NestedIn<NonNullable<Value>>;

type NestedIn<Value> = Value extends readonly (infer Element)[]
  ? Each<Element>
  : Value extends object
    ? Declared<Value> | Either<Value>
    : never;

/** @param by what the field has after an erasure; without it the field is left out */
export function personal(kinds: PersonalKind | readonly PersonalKind[]): Personal<undefined>;
export function personal<By>(kinds: PersonalKind | readonly PersonalKind[], by: By): Personal<By>;
export function personal(kinds: PersonalKind | readonly PersonalKind[], by?: unknown): Personal<unknown> {
  return { [kindsOf]: typeof kinds === 'string' ? [kinds] : kinds, by };
}

/** A list, whose elements all have these words. */
export const each = <T>(elements: Declared<T> | Either<T>): Each<T> => ({ [elementsOf]: elements });

export const either = <T>(isYes: (value: T) => boolean, yes: Declared<T>, no: Declared<T>): Either<T> => ({
  [choiceOf]: isYes,
  yes,
  no,
});

/** Any word, or the words of what is nested. */
type AnyWord = Kept | Personal<unknown> | Each<never> | Either<never> | { [field: string]: AnyWord };

const isPersonal = (word: AnyWord): word is Personal<unknown> => typeof word === 'object' && kindsOf in word;
const isEach = (word: AnyWord): word is Each<never> => typeof word === 'object' && elementsOf in word;
const isEither = (word: AnyWord): word is Either<never> => typeof word === 'object' && choiceOf in word;

/** The value without what is personal. What the declaration does not know, because an earlier release stored it, goes too. */
export const erased = <T extends object>(declaration: Declared<T>, value: T): T =>
  strip(declaration as AnyWord, value) as T;

function strip(word: AnyWord, value: unknown): unknown {
  if (word === kept || value === null || value === undefined) return value;
  if (isPersonal(word)) return word.by;
  if (isEach(word)) return (value as unknown[]).map((element) => strip(word[elementsOf], element));
  if (isEither(word)) return strip(chosen(word, value), value);
  const fields = Object.entries(value).map(([field, inner]) => {
    const own = fieldOf(word, field);
    return [field, own === undefined ? undefined : strip(own, inner)];
  });
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined));
}

const chosen = (word: Either<never>, value: unknown): AnyWord => (word[choiceOf](value as never) ? word.yes : word.no);

const fieldOf = (word: { [field: string]: AnyWord }, field: string): AnyWord | undefined =>
  Object.hasOwn(word, field) ? word[field] : undefined;

/** Where something personal is set, such as `address` or `events.0.location`. */
export const personalPaths = <T extends object>(declaration: Declared<T>, value: Partial<T>): string[] =>
  placesIn(declaration as AnyWord, value).map(({ path }) => path.join('.'));

export interface PersonalValue {
  /** Its name, such as `events.location`: the same for all elements of a list. */
  field: string;
  value: unknown;
}

/** What is personal in the value. */
export const personalValues = <T extends object>(declaration: Declared<T>, whole: T): PersonalValue[] =>
  placesIn(declaration as AnyWord, whole).map(({ path, value }) => ({
    field: path.filter((name) => !/^\d+$/.test(name)).join('.'),
    value,
  }));

interface PersonalPlace {
  path: string[];
  value: unknown;
}

function placesIn(word: AnyWord | undefined, value: unknown): PersonalPlace[] {
  if (word === kept || !isSet(value)) return [];
  if (word === undefined || isPersonal(word)) return [{ path: [], value }];
  if (isEach(word)) return below(Object.entries(value as object), () => word[elementsOf]);
  if (isEither(word)) return placesIn(chosen(word, value), value);
  return below(Object.entries(value as object), (field) => fieldOf(word, field));
}

const below = (entries: [string, unknown][], wordOf: (name: string) => AnyWord | undefined): PersonalPlace[] =>
  entries.flatMap(([name, inner]) =>
    placesIn(wordOf(name), inner).map(({ path, value }) => ({ path: [name, ...path], value })),
  );

/** An empty text, list or object says nothing about anybody. */
const isSet = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  !(typeof value === 'object' && Object.keys(value).length === 0);

/** The personal fields of a declaration with their kinds, for people to read. */
export function personalFields(declaration: object): { field: string; kinds: readonly PersonalKind[] }[] {
  const fields = fieldsIn(declaration as AnyWord).map(({ path, kinds }) => ({ field: path.join('.'), kinds }));
  return [...new Map(fields.map((one) => [one.field, one])).values()];
}

function fieldsIn(word: AnyWord): { path: string[]; kinds: readonly PersonalKind[] }[] {
  if (word === kept) return [];
  if (isPersonal(word)) return [{ path: [], kinds: word[kindsOf] }];
  if (isEach(word)) return fieldsIn(word[elementsOf]);
  if (isEither(word)) return [...fieldsIn(word.yes), ...fieldsIn(word.no)];
  return Object.entries(word).flatMap(([name, inner]) =>
    fieldsIn(inner).map(({ path, kinds }) => ({ path: [name, ...path], kinds })),
  );
}

/** What an erasure did in one store. */
export interface Count {
  /** The items that it found. */
  found: number;
  /** Those that it removed, or from which it removed what is personal. */
  erased: number;
  /** Those that had nothing personal. */
  kept: number;
}

/** What an erasure did, in each of these stores. */
export type CountsOf<Store extends PersonalStore> = { [Each in Store]: Count };

/** What an erasure did, by store. */
export type Counted = Partial<CountsOf<PersonalStore>>;

export function addCounts<First extends Counted>(first: First, ...others: readonly Counted[]): First & Counted {
  const sum: Counted = {};
  for (const counted of [first, ...others])
    for (const [store, { found, erased: gone, kept: left }] of Object.entries(counted) as [PersonalStore, Count][]) {
      const before = sum[store] ?? noCount;
      sum[store] = { found: before.found + found, erased: before.erased + gone, kept: before.kept + left };
    }
  return sum as First & Counted;
}

export const noCount: Count = { found: 0, erased: 0, kept: 0 };

/** Why and for whom an erasure is made. */
export interface Erasure {
  /** When. */
  at: string;
  /** The id of an API key, or the name of what else asked for it. */
  by: string;
  /** Set if it only counts what would go. */
  dryRun?: boolean;
  /** Before each write: waits until the table may take so many write units more. */
  spend?: (units: number) => Promise<void>;
}
