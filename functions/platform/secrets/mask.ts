const stars = '***';

/** Shorter texts are no secrets, and occur anywhere. */
const minLength = 4;

/**
 * A text of somebody else without the secrets that we sent to them, in case they repeat them. The text may be cut off,
 * so its end may be the beginning of a secret.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter(({ length }) => length >= minLength);
  // The longest first, because one may contain another.
  return forms.toSorted((a, b) => b.length - a.length).reduce(withoutSecret, text);
}

const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
];

function withoutSecret(text: string, secret: string): string {
  const replaced = text.replaceAll(secret, stars);
  for (let length = secret.length - 1; length >= minLength; length--) {
    if (replaced.endsWith(secret.slice(0, length))) return replaced.slice(0, -length) + stars;
  }
  return replaced;
}
