/** A word that is nowhere else, so whoever finds it knows whose it is and where it was sent. */
export interface Word {
  text: string;
  /** The operation or message, and the way to the field: `upsertOrder order.address.name`. */
  place: string;
}

/**
 * The words of one person. `q` and `x` keep them out of hexadecimal numbers, and eight letters and digits out of whatever
 * base64 may contain by accident.
 */
export class Words {
  readonly person: string;
  readonly all: Word[] = [];

  /** @param person two letters */
  constructor(person: string) {
    this.person = person;
  }

  at(place: string): string {
    const text = `q${this.person}x${String(this.all.length).padStart(4, '0')}`;
    this.all.push({ text, place });
    return text;
  }

  /** A text that somebody else made, such as the name of a stored image. */
  add(text: string, place: string): void {
    this.all.push({ text: text.toLowerCase(), place });
  }
}
