import { formLimits, requestLimits } from '#schemas/catalogues/limits.ts';
import type { FormField, FormFields } from '#schemas/families/operation.ts';

/** Reads the fields of a form. Anybody can send any field as text or as file, once or often. */

const listOf = (fields: FormFields, name: string): FormField[] => [fields[name] ?? []].flat();

/** A file is no text. */
export const textsOf = (fields: FormFields, name: string): string[] =>
  listOf(fields, name).filter((value) => typeof value === 'string');

/** The first text, or an empty one. */
export const textOf = (fields: FormFields, name: string): string => textsOf(fields, name)[0] ?? '';

/** A browser sends an empty file where nobody chose one. */
export const filesOf = (fields: FormFields, name: string): Uint8Array[] =>
  listOf(fields, name).filter((value) => value instanceof Uint8Array && value.length > 0) as Uint8Array[];

/** Browsers send `\r\n` for every new line, and count it as one character. */
export const cleanText = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** JSON Schema counts whole characters, too. */
export const isLongerThan = (text: string, characters: number): boolean => [...cleanText(text)].length > characters;

export function photoFault(fields: FormFields) {
  const photos = filesOf(fields, 'images');
  if (textsOf(fields, 'images').some((text) => text !== '')) return 'images_not_readable';
  if (photos.length > formLimits.files) return 'images_too_many';
  const bytes = photos.reduce((sum, { length }) => sum + length, 0);
  return bytes > requestLimits.fileBytes ? 'images_too_large' : undefined;
}
