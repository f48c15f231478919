import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, dayOfDate } from '#domain/arrival/delivery-days.ts';
import type { Parcel } from './arrival-world.ts';

/** A parcel of a real shop, with the day by which the shop had promised it. */
interface RealParcel extends Parcel {
  promised: Day;
}

/**
 * The parcels of "Brazilian E-Commerce Public Dataset by Olist" (Kaggle, CC BY-NC-SA 4.0), from a folder with its files
 * of orders and customers. The data names no carrier, and its times are those of Brazil.
 * @param digits of the postcode that make an area
 */
export function olistParcels(folder: string, digits: number): RealParcel[] {
  const postcodes = new Map(
    rowsOf(join(folder, 'olist_customers_dataset.csv')).map((row) => [
      row.customer_id!,
      // The file has lost leading zeros in some copies.
      row.customer_zip_code_prefix!.padStart(5, '0'),
    ]),
  );
  const parcels = rowsOf(join(folder, 'olist_orders_dataset.csv')).flatMap((row): RealParcel[] => {
    if (!row.order_delivered_carrier_date) return [];
    const handedOver = dayOfDate(row.order_delivered_carrier_date);
    const delivered = row.order_delivered_customer_date ? dayOfDate(row.order_delivered_customer_date) : undefined;
    // A few were delivered before they were handed over.
    if (delivered !== undefined && delivered < handedOver) return [];
    const area = postcodes.get(row.customer_id!)?.slice(0, digits) ?? '-';
    const promised = dayOfDate(row.order_estimated_delivery_date!);
    return [
      {
        lane: { carrier: '-', country: 'BR' },
        area,
        handedOver,
        promised,
        scanned: [],
        out: [],
        attempted: [],
        ...(delivered !== undefined && { delivered }),
      },
    ];
  });
  return parcels.sort((a, b) => a.handedOver - b.handedOver);
}

function rowsOf(file: string): Record<string, string>[] {
  const [head, ...lines] = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(Boolean);
  const names = cellsOf(head!);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, i) => [names[i]!, cell])));
}

const cellsOf = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
