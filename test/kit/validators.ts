import { createRequire } from 'node:module';
import { Validators } from '#lib/bundling/validators.ts';
import type { Validator } from '#platform/http/request.ts';

const require = createRequire(import.meta.url);

const compiled = { json: new WeakMap<object, Validator>(), text: new WeakMap<object, Validator>() };

/** The validator of a shape, compiled as for the functions: `text` for paths and queries. */
export function validatorOf(shape: object, kind: 'json' | 'text' = 'json'): Validator {
  const known = compiled[kind].get(shape) ?? compile(shape, kind);
  compiled[kind].set(shape, known);
  return known;
}

function compile(shape: object, kind: 'json' | 'text'): Validator {
  const validators = new Validators();
  const name = validators.add(shape, kind);
  const code = `${validators.code((module) => `require(${JSON.stringify(module)})`)}\nreturn ${name};`;
  return new Function('require', code)(require) as Validator;
}
