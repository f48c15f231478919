import type { Ajv, KeywordCxt } from 'ajv';
import { _, Name, stringify } from 'ajv';
import { requestLimits } from '#schemas/catalogues/limits.ts';
import { replaceCode } from './replace-code.ts';

/**
 * With `allErrors` ajv looks at every element of a list or map, also if there are far too many, and copies the faults
 * that it has for each further one: 80,000 broken elements took half a minute. These keywords end after a hundred
 * faults, and do not look at the elements beyond the limit of their list.
 */
export function addBoundedKeywords(ajv: Ajv): void {
  replaceCode(ajv, 'items', () => itemsCode);
  replaceCode(ajv, 'propertyNames', () => propertyNamesCode);
  replaceCode(
    ajv,
    'additionalProperties',
    (removeUnknown) => (part) => (typeof part.schema === 'object' ? valuesCode(part) : removeUnknown(part)),
  );
  ajv.addKeyword({
    keyword: 'maxUnknownBytes',
    type: 'object',
    schemaType: 'number',
    error: { message: '', params: ({ schema }) => _`{ limit: ${schema} }` },
    code: unknownBytesCode,
  });
}

/** The variable of ajv's generated code that counts the faults of a function. */
const faultCount = new Name('errors');
/** One more than the answer shows, which tells that there are more. */
const isFull = _`${faultCount} > ${requestLimits.faults}`;

const byIndex = 0;
const byName = 1;

function itemsCode(part: KeywordCxt): void {
  const { gen, data, parentSchema } = part;
  const { maxItems } = parentSchema as { maxItems?: number };
  const length = _`${data}.length`;
  const count = gen.const('count', maxItems === undefined ? length : _`Math.min(${length}, ${maxItems})`);
  gen.forRange('i', 0, count, (i) => {
    gen.if(isFull, () => gen.break());
    part.subschema({ keyword: 'items', dataProp: i, dataPropType: byIndex }, gen.name('valid'));
  });
}

function valuesCode(part: KeywordCxt): void {
  forEachUnknown(part, (name) =>
    part.subschema({ keyword: 'additionalProperties', dataProp: name, dataPropType: byName }, part.gen.name('valid')),
  );
}

/**
 * Limits the JSON of all the fields together that an object does not declare. It comes after the other keywords and
 * measures only what they accept, which is short and has few levels.
 */
function unknownBytesCode(part: KeywordCxt): void {
  const { gen, data, schema } = part;
  const bytes = gen.let('bytes', 0);
  gen.if(_`${faultCount} === 0`, () =>
    forEachUnknown(part, (name) => gen.add(bytes, _`Buffer.byteLength(JSON.stringify([${name}, ${data}[${name}]]))`)),
  );
  part.fail(_`${bytes} > ${schema}`);
}

function forEachUnknown(part: KeywordCxt, visit: (name: Name) => void): void {
  const { gen, parentSchema } = part;
  const { properties = {} } = parentSchema as { properties?: object };
  const declared = gen.const('declared', stringify(Object.keys(properties)));
  forEachName(part, (name) => gen.if(_`!${declared}.includes(${name})`, () => visit(name)));
}

function propertyNamesCode(part: KeywordCxt): void {
  forEachName(part, (name) =>
    part.subschema(
      { keyword: 'propertyNames', data: name, dataTypes: ['string'], propertyName: name, compositeRule: true },
      part.gen.name('valid'),
    ),
  );
}

function forEachName({ gen, data, parentSchema }: KeywordCxt, check: (name: Name) => void): void {
  const { maxProperties } = parentSchema as { maxProperties?: number };
  const seen = gen.let('seen', 0);
  gen.forIn('name', data, (name) => {
    gen.if(_`${isFull} || ++${seen} > ${maxProperties ?? _`Infinity`}`, () => gen.break());
    check(name);
  });
}
