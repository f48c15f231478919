import type { Ajv, CodeKeywordDefinition } from 'ajv';

type KeywordCode = CodeKeywordDefinition['code'];

/** Gives a keyword of ajv another code, which may use the known one. */
export function replaceCode(ajv: Ajv, keyword: string, newCode: (known: KeywordCode) => KeywordCode): void {
  const known = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  ajv.removeKeyword(keyword);
  ajv.addKeyword({ ...known, code: newCode(known.code) });
}
