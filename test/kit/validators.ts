import { createRequire } from 'node:module';
import { Validators } from '#lib/bundling/validators.ts';
import type { Validator } from '#platform/http/request.ts';

const require = createRequire(import.meta.url);

const compiled = new WeakMap<object, Validator>();

/** The validator of a shape, compiled as for the functions. */
export function validatorOf(shape: object): Validator {
  const known = compiled.get(shape) ?? compile(shape);
  compiled.set(shape, known);
  return known;
}

function compile(shape: object): Validator {
  const validators = new Validators();
  const name = validators.add(shape, 'json');
  const code = `${validators.code((module) => `require(${JSON.stringify(module)})`)}\nreturn ${name};`;
  return new Function('require', code)(require) as Validator;
}
