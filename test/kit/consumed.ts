import { table } from '#platform/table/client.ts';

export interface Consumed {
  requests: number;
  /** Read and write units together. */
  units: number;
}

type Capacity = { CapacityUnits?: number } | { CapacityUnits?: number }[] | undefined;
type Send = (command: { input: object }) => Promise<{ ConsumedCapacity?: Capacity }>;

/** What the functions in this process ask of the table while something is done. */
export async function consumedBy(act: () => Promise<unknown>): Promise<Consumed> {
  const client = table as unknown as { send: Send };
  const send = client.send;
  const isOwn = Object.hasOwn(client, 'send');
  const consumed = { requests: 0, units: 0 };
  client.send = async (command) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer = await send.call(table, command);
    consumed.requests += 1;
    for (const { CapacityUnits = 0 } of [answer.ConsumedCapacity ?? []].flat()) consumed.units += CapacityUnits;
    return answer;
  };
  try {
    await act();
    return consumed;
  } finally {
    if (isOwn) client.send = send;
    // That of the class, which a test may replace.
    else Reflect.deleteProperty(client, 'send');
  }
}
