import type { Address } from '#schemas/shapes/order-shapes.ts';

/** An address in one line, as a message template shows it; undefined where nothing of it is known. */
export function addressText(address: Address | null | undefined, ...before: (string | null | undefined)[]) {
  const { company, address_line_1, street, address_line_2, zip_code, city, province, country } = address ?? {};
  const place = joined(' ', [zip_code, city]);
  const lines = [...before, company, address_line_1 ?? street, address_line_2, place, province, country];
  return joined(', ', lines);
}

function joined(separator: string, parts: readonly (string | null | undefined)[]): string | undefined {
  return (
    parts
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(separator) || undefined
  );
}
