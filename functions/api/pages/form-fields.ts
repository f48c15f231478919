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
