/**
 * A lone surrogate, such as `\ud83d`, is no character: somebody cut a text within an emoji. UTF-8 cannot hold it, so the
 * table would store two different texts as the same. Validation refuses it in the requests of callers. A shop's own
 * system and carriers would only send the same again, so their texts are repaired.
 */

/** For `JSON.parse`: replaces lone surrogates by U+FFFD. */
export const replaceLoneSurrogates = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;
