import { gunzipSync, gzipSync } from 'node:zlib';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { maxUnpackedBytes } from '#domain/orders/order-items.ts';
import type { OutboxEvent } from './outbox-event.ts';

/** Where the order of an event stands as the event left it. Neither: it is too large, and is read when it is told. */
export interface Snapshot {
  snapshot?: Uint8Array;
  /** The id of an event of the same write, which carries it for both. */
  snapshot_in?: string;
}

/**
 * Gives events the order as their write leaves it: by the time they are told, which may be after a trouble of hours,
 * others will have written. Several events of one write share one copy.
 */
export function withSnapshot<E extends OutboxEvent>(
  events: readonly E[],
  fullOrder: OrderWithShipments,
): (E & Snapshot)[] {
  const [first, ...others] = events;
  const snapshot = first && snapshotOf(fullOrder);
  if (!snapshot) return [...events];
  return [{ ...first, snapshot }, ...others.map((event) => ({ ...event, snapshot_in: first.id }))];
}

/** The event alone: who keeps it does not want the order too. */
export function withoutSnapshot<E extends OutboxEvent>(event: E & Snapshot): E {
  const { snapshot: _, snapshot_in: _elsewhere, ...rest } = event;
  return rest as unknown as E;
}

/** An item takes 400 KB, and each kilobyte of it is paid for with each event. */
const maxSnapshotBytes = 64 * 1024;

/** The texts of the order and of its shipments, one in each line. */
function snapshotOf({ order, shipments }: OrderWithShipments): Buffer | undefined {
  const lines: string[] = [];
  let length = 0;
  for (const part of [order, ...shipments]) {
    const line = JSON.stringify(part);
    length += line.length;
    if (length > maxUnpackedBytes) return undefined;
    lines.push(line);
  }
  const packed = gzipSync(lines.join('\n'));
  return packed.length > maxSnapshotBytes ? undefined : packed;
}

export function toOrderWithShipments(snapshot: Uint8Array): OrderWithShipments {
  const [order, ...shipments] = gunzipSync(snapshot)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line));
  return { order, shipments };
}
