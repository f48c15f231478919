/** Lambda hands binary values of the stream over as text. */
export const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;
