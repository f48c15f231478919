/**
 * A name with an address, as the header `From` of a mail takes it (RFC 5322). SES takes only ASCII there, and asks for RFC
 * 2047 where a name has other letters: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html.
 */
export function mailboxOf(name: string, address: string): string {
  const shown = shortened(name.replace(controls, ' ').replace(/\s+/g, ' ').trim(), address);
  if (shown === '') return address;
  const phrase = ascii.test(shown) ? `"${shown.replace(/["\\]/g, '\\$&')}"` : encodedWords(shown);
  return `${phrase} <${address}>`;
}

const controls = /\p{Cc}/gu;
const ascii = /^[\x20-\x7e]*$/;

/** SES refuses a name and an address that are longer together. */
const maxMailbox = 320;

/** Each byte of a name takes at most two letters of its header: by a backslash, or by base64 and the ends of its words. */
function shortened(name: string, address: string): string {
  const maxBytes = Math.floor((maxMailbox - address.length - 5) / 2);
  const characters = [...name];
  let bytes = 0;
  const end = characters.findIndex((character) => {
    bytes += Buffer.byteLength(character);
    return bytes > maxBytes;
  });
  return (end === -1 ? characters : characters.slice(0, end)).join('').trim();
}

/** RFC 2047: a word has at most 75 letters, and no character begins in one and ends in the next. */
const maxBytesOfWord = 45;

function encodedWords(text: string): string {
  const words = [''];
  for (const character of text) {
    const longer = words.at(-1)! + character;
    if (Buffer.byteLength(longer) <= maxBytesOfWord) words[words.length - 1] = longer;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
