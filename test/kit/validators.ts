import { createRequire } from 'node:module';
import { Validators } from '#lib/bundling/validators.ts';
import type { Validator } from '#platform/http/request.ts';

const require = createRequire(import.meta.url);

const compiled = new WeakMap<object, Validator>();

type Kind = Parameters<Validators['add']>[1];

/** The validator of a shape, compiled as for the functions. */
export function validatorOf(shape: object, kind: Kind = 'json'): Validator {
  const known = compiled.get(shape) ?? compile(shape, kind);
  compiled.set(shape, known);
  return known;
}

function compile(shape: object, kind: Kind): Validator {
  const validators = new Validators();
  const name = validators.add(shape, kind);
  const code = `${validators.code((module) => `require(${JSON.stringify(module)})`)}\nreturn ${name};`;
  return new Function('require', code)(require) as Validator;
}
