/**
 * The number without its writing: people and labels use spaces, dashes, dots and lower case that do not belong to it.
 * A text of nothing else is no number, and is left empty.
 */
export const normaliseTrackingNumber = (text: string) => text.toUpperCase().replace(/[\s.\-\u2010-\u2015]/g, '');

/** The same for a number that is a key, and so cannot be empty. Two numbers are the same if these are. */
export const comparableTrackingNumber = (text: string) => normaliseTrackingNumber(text) || text;

export const isSameTrackingNumber = (a: string | null, b: string | null) =>
  a !== null && b !== null && comparableTrackingNumber(a) === comparableTrackingNumber(b);
