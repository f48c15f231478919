import type { FieldError } from '#schemas/errors.ts';
import type { Fault } from '#shared/runtime-operation.ts';

/** The validator's faults in the form of the contract. */
export function toFieldErrors(place: string, faults: Fault[]): FieldError[] {
  return faults.map((fault) => {
    const loc = [place, ...pathOf(fault.instancePath)];
    if (fault.keyword === 'required') {
      return { loc: [...loc, String(fault.params.missingProperty)], msg: 'is required', type: 'missing' };
    }
    return { loc, msg: messageOf(fault), type: fault.keyword === 'type' ? 'type_error' : 'value_error' };
  });
}

/** `/products/0/title` → `products`, 0, `title`. */
function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function messageOf({ keyword, params, message }: Fault): string {
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
  if (keyword === 'type') return `must be ${[params.type].flat().join(' or ')}`;
  return message ?? 'is not valid';
}
