import { requestLimits } from '#schemas/catalogues/limits.ts';
import type { Fault } from './request.ts';

interface Walk {
  path: (string | number)[];
  faults: Fault[];
}

/**
 * Where a parsed value has a lone surrogate, in a text or in the name of a field, or is nested so deeply that a function
 * that calls itself would run out of stack.
 */
export function textFaults(value: unknown): Fault[] {
  const walk: Walk = { path: [], faults: [] };
  visit(value, walk);
  return walk.faults;
}

function visit(value: unknown, walk: Walk): void {
  if (typeof value === 'string' && !value.isWellFormed()) report('wellFormed', walk);
  if (!isHolder(value)) return;
  if (walk.path.length < requestLimits.depth) visitFields(value, walk);
  else report('depth', walk);
}

function visitFields(holder: object, walk: Walk): void {
  const isFull = () => walk.faults.length > requestLimits.faults;
  if (Array.isArray(holder)) for (let i = 0; i < holder.length && !isFull(); i++) visitField(i, holder[i], walk);
  else for (const [name, value] of Object.entries(holder)) if (!isFull()) visitField(name, value, walk);
}

function visitField(name: string | number, value: unknown, walk: Walk): void {
  walk.path.push(name);
  if (typeof name === 'string' && !name.isWellFormed()) report('wellFormed', walk, name);
  visit(value, walk);
  walk.path.pop();
}

/** The bytes of an uploaded file are no text. */
const isHolder = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

function report(keyword: 'wellFormed' | 'depth', { path, faults }: Walk, propertyName?: string): void {
  faults.push({
    keyword,
    instancePath: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    params: { limit: requestLimits.depth },
    ...(propertyName !== undefined && { propertyName }),
  });
}
