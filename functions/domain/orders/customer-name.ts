import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { type CustomerWords, customerPlace, indexKeyOf, namePlace, partitionOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { quickSearchLimits } from '#schemas/catalogues/limits.ts';

/**
 * Names as a search compares them: people write the same name in several ways, and support hears it on the phone.
 *
 * An order has an entry under the last word of its name (`customerWords`), and one each under the first and the last word
 * from which the beginnings are found (`nameEntries`). The first is all that an order of before has.
 */

/** With its keys, a name must stay below the 1 KB of a sort key. */
const maxWordLength = 60;
const maxWords = 6;

/** Undefined if the name has no letter or digit. */
export function customerWords(name: string): CustomerWords | undefined {
  const words = foldedWords(name);
  const last = words.at(-1);
  return last === undefined ? undefined : { last, others: words.slice(0, -1) };
}

/** The words without case, accents and punctuation. Of a very long name the last words count. */
export function foldedWords(name: string): string[] {
  const folded = withoutAccents(name.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ');
  const words = folded.split(' ').filter((word) => word !== '');
  return words.slice(-maxWords).map((word) => word.slice(0, maxWordLength));
}

const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøæœłđð]/g, (letter) => plainLetters[letter]!)
    // Müller, Mueller and Muller are one name.
    .replace(/([aou])e/g, '$1');

const plainLetters: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'a', œ: 'o', ł: 'l', đ: 'd', ð: 'd' };

/** A word of a name or of a search. */
interface PlainWord {
  text: string;
  /** How many letters it was written with: `ue` is one letter less afterwards. */
  letters: number;
}

/** Six words of it and the rest of the key stay below the 1 KB of a sort key. */
const maxPlainLength = 40;

/** Like `foldedWords`, but O'Brien and Müller-Lüdenscheidt are one word each, and more letters lose what is not typed. */
export function plainWords(name: string): PlainWord[] {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replace(joining, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u);
  return words
    .map((word) => ({ text: plainWord(word).slice(0, maxPlainLength).toWellFormed(), letters: [...word].length }))
    .filter(({ text }) => text !== '')
    .slice(-maxWords);
}

const joining = /[\p{Pd}'’ʼ‘`´]/gu;

const plainWord = (word: string) =>
  withoutAccents(word.replace(/[ıħŧŋĸəþς]/g, (letter) => untypedLetters[letter]!)).replace(/[^\p{L}\p{N}]+/gu, '');

/** What is no accent to Unicode, and still is not on every keyboard. */
const untypedLetters: Record<string, string> = {
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ə: 'e',
  þ: 'th',
  ς: 'σ',
};

/** The name of the customer as the order's entries have it. Undefined if it has no letter or digit. */
export function listedName(name: string | undefined): string | undefined {
  const words = plainWords(name ?? '').map(({ text }) => text);
  return words.length === 0 ? undefined : words.join(' ');
}

/** The keys of an order's entries: under the last word of the name, and under the first if it is another. */
export function nameEntries(slug: string, { uuid, order_placed_at, listed_name }: ListedOrder) {
  const words = listed_name?.split(' ') ?? [];
  const entry = (i: number) => {
    const name = { word: words[i]!, others: words.toSpliced(i, 1) };
    return indexKeyOf.customersByWord(slug, name, order_placed_at, uuid);
  };
  const last = words.length - 1;
  return {
    ofLast: last < 0 ? {} : entry(last),
    ofFirst: last < 1 || words[0] === words[last] ? {} : entry(0),
  };
}

interface ListedOrder {
  uuid: string;
  order_placed_at: string;
  listed_name?: string;
}

/** Whether the searched words can be the beginnings of the other words of a name, each of another word. */
export function areBeginnings(searched: readonly string[], others: readonly string[]): boolean {
  const left = [...others];
  return searched.every((word) => {
    const found = left.findIndex((other) => other.startsWith(word));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

/** The orders of customers with this name, or whose name begins so. */
export async function findCustomers(slug: string, name: string): Promise<string[]> {
  const found = await Promise.all([
    ...readingsOf(plainWords(name)).map(([word, others]) => ordersOfWord(slug, word, others)),
    ...readingsOf(foldedWords(name)).map(([last, others]) => ordersOf(slug, last, others)),
  ]);
  return found.flat();
}

/** People say "Mara Lindqvist" or "Lindqvist, Mara": a word that finds the orders, and those that the rest of the name begins with. */
function readingsOf<T>(words: readonly T[]): [T, T[]][] {
  if (words.length < 2) return words.map((word) => [word, []]);
  return [
    [words.at(-1)!, words.slice(0, -1)],
    [words[0]!, words.slice(1)],
  ];
}

async function ordersOfWord(slug: string, { text, letters }: PlainWord, others: PlainWord[]): Promise<string[]> {
  const partition = partitionOf.customersByWord(slug, text);
  const isBeginning = letters >= quickSearchLimits.shortestBeginning;
  const [whole, longer] = await Promise.all([
    namesIn(
      partition,
      { prefix: `${text}#` },
      others.length === 0 ? quickSearchLimits.results : quickSearchLimits.namesakes,
    ),
    isBeginning ? namesIn(partition, { prefix: text }, quickSearchLimits.beginnings) : [],
  ]);
  const beginnings = others.map((other) => other.text);
  return [...whole, ...longer]
    .filter((place) => areBeginnings(beginnings, place.others))
    .sort((a, b) => (a.placedAt < b.placedAt ? 1 : -1))
    .map(({ orderId }) => orderId);
}

/** Those with the whole word are the newest. Longer words are in the order of the alphabet. */
async function namesIn(partition: string, range: { prefix: string }, limit: number) {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partition, { index: 'names', ...range }),
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return Items.map(({ name_sk }) => namePlace(String(name_sk)));
}

/** The newest orders whose customer's name ends with this word. */
async function ordersOf(slug: string, lastWord: string, beginnings: readonly string[]): Promise<string[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partitionOf.ordersByCustomer(slug, lastWord), { index: 'names' }),
      ScanIndexForward: false,
      Limit: beginnings.length === 0 ? quickSearchLimits.results : quickSearchLimits.namesakes,
    }),
  );
  return Items.map(({ name_sk }) => customerPlace(String(name_sk)))
    .filter(({ others }) => areBeginnings(beginnings, others))
    .slice(0, quickSearchLimits.results)
    .map(({ orderId }) => orderId);
}
