import Ajv from 'ajv';
import addFormats from 'ajv-formats';

// Each validator is used a few times, so it is not worth what its optimization takes.
const ajv = addFormats.default(new Ajv.default({ allErrors: true, strict: false, code: { optimize: false } }));

/** The differences of a value from its shape, unknown fields included. */
export function faultsAgainst(shape: object, value: unknown): string[] {
  const check = ajv.compile(shape);
  check(JSON.parse(JSON.stringify(value)));
  return (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter(Boolean).join(' '),
  );
}
