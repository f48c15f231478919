import type { Language } from '#schemas/catalogues/enumerations.ts';

/** Texts that are the same in English and in another language, with the reason. */
export const sameAsEnglish: Partial<Record<Language, Record<string, string>>> = {};
