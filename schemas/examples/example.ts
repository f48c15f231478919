import type { Input, Operation, Operations, Output } from '../families/operation.ts';

/** A request as a caller writes it: without fields that have a default, and with the name of a file in place of its bytes. */
type Written<T> = T extends Uint8Array
  ? string
  : T extends readonly (infer Element)[]
    ? Written<Element>[]
    : T extends object
      ? { [Name in keyof T]?: Written<T[Name]> }
      : T;

/** One request of an operation and its response. Every request is about the shop of the story, so no example names the slug. */
interface Example<O extends Operation> {
  params?: Omit<Input<O>['params'], 'slug'>;
  query?: Written<Input<O>['query']>;
  body?: Written<Input<O>['body']>;
  response: Output<O>;
}

/** An example of whatever operation. */
export interface AnyExample {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  response: unknown;
}

/** An operation without an example is a compile error. */
export type ExamplesOf<T extends Operations> = { [Id in keyof T]: Example<T[Id]> };
