/** First and last name out of one text: the last word is the last name, a single word is the first name. */
export function customerName(text: string | undefined) {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  const last = words.length > 1 ? words.pop() : undefined;
  return {
    first_name: words.length > 0 ? words.join(' ') : null,
    last_name: last ?? null,
  };
}
