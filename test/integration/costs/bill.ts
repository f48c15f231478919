import type { MeasuredFunction } from './played-orders.ts';

/** What one order uses of AWS on its whole way, on average. */
export interface OrderUsage {
  writeUnits: Record<MeasuredFunction, number>;
  readUnits: Record<MeasuredFunction, number>;
  /** Each with one message or record, except those of counts. */
  invocations: Record<MeasuredFunction, number>;
  /** Requests by which functions send messages. */
  sends: number;
  /** In the table and its indexes, when all is done. */
  storedBytes: number;
}

/** Functions that Lambda hands the messages of a queue. */
export const queueReaders = ['ingest', 'delivery'] as const;
export type QueueReader = (typeof queueReaders)[number];

/** What follows from a stage and its template, and what cannot be measured on a machine without AWS. */
export interface Assumptions {
  /** What an invocation writes to its log, with the lines of Lambda itself. */
  logBytes: number;
  /** Decrypted secrets for each order: an execution environment remembers them for a while. */
  kmsRequests: number;
  /** Of the requests of an order, those that go through API Gateway. */
  gatewayRequests: number;
  /** Of the requests of an order, those for which CloudFront runs a function. */
  edgeFunctions: number;
  /** Gigabytes of memory. */
  memory: Record<MeasuredFunction, number>;
  /** Seconds that Lambda waits for more messages. */
  windows: Record<QueueReader, number>;
  /** Whether Lambda sends traces. */
  isTraced: boolean;
  /** CloudWatch bills each metric that an alarm looks at. */
  alarmMetrics: number;
  /** By which CloudWatch names the keys that DynamoDB throttles. */
  insightRules: number;
  /** Of the schedule of privacy-work, in a month. */
  privacyRounds: number;
}

/** Of an invocation with 1 GB. */
const milliseconds: Record<MeasuredFunction, number> = {
  api: 40,
  pages: 40,
  'tracking-providers': 40,
  ingest: 40,
  'fan-out': 40,
  delivery: 120,
  due: 0,
  counts: 40,
};

/**
 * What of it is work. The rest is waiting, whatever the memory. A delivery alone took a millisecond of a whole core, and a record of
 * fan-out six with the emulator of the table; 1 GB has six tenths of a core. Of the others nothing was measured.
 */
const work: Partial<Record<MeasuredFunction, number>> = { delivery: 10, 'fan-out': 11 };

/** CPU grows with memory, so work takes twice as long with half of it. */
const millisecondsOf = (name: MeasuredFunction, gigabytes: number): number => {
  const { [name]: busy = milliseconds[name] } = work;
  return milliseconds[name] - busy + busy / gigabytes;
};

/** Of a round of privacy-work that finds nothing to do: one Query. */
const idleRound = { readUnits: 0.5, milliseconds: 40 };

const accessLogBytes = 400;

/** US dollars, list prices of us-east-1 without free tiers. */
const prices = {
  writeUnits: 0.625 / 1e6,
  readUnits: 0.125 / 1e6,
  /** With point-in-time recovery. */
  storedGigabytes: 0.25 + 0.2,
  /** With the surcharge of fair queues. */
  sqsRequests: 0.5 / 1e6,
  lambdaRequests: 0.2 / 1e6,
  gigabyteSeconds: 0.0000133334,
  apiRequests: 3.5 / 1e6,
  distributionRequests: 1 / 1e6,
  edgeFunctions: 0.1 / 1e6,
  kmsRequests: 3 / 1e6,
  logGigabytes: 0.5,
  /** https://aws.amazon.com/ses/pricing/: $0.10 for 1,000. Ours have no attachments, which would be billed by the gigabyte. */
  mails: 0.1 / 1000,
  alarms: 0.1,
  insightRules: 0.5,
  traces: 5 / 1e6,
};

export interface BillLine {
  service: string;
  /** How many units, in millions where the unit is a request or a capacity unit. */
  quantity: number;
  unit: string;
  dollars: number;
}

const million = 1e6;
export const secondsOfMonth = 30 * 24 * 3600;

/** Requests through CloudFront: one places the order, one fulfils it, the customer looks four times, the provider reports thrice. */
export const requestsOfOrder = { orders: 2, views: 4, webhooks: 3 };
const allRequests = Object.values(requestsOfOrder).reduce((sum, count) => sum + count, 0);

export const sumOf = (parts: Record<MeasuredFunction, number>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

/** What the function for deliveries needs for one mail. */
export interface MailUsage {
  writeUnits: number;
  readUnits: number;
}

export const mailsOfOrder = 3;

/** What mails add to the bill of a million orders, in a stage that names a sender. */
export function billOfMails({ writeUnits, readUnits }: MailUsage, { memory }: Assumptions): BillLine[] {
  const seconds = (memory.delivery * millisecondsOf('delivery', memory.delivery)) / 1000;
  // Fan-out sends one message more with those that it sends anyway; Lambda receives and deletes it.
  const ofMail: [service: string, unit: string, count: number, price: number][] = [
    ['SES', 'mails', 1, prices.mails],
    ['DynamoDB, writes', 'write units', writeUnits, prices.writeUnits],
    ['DynamoDB, reads', 'read units', readUnits, prices.readUnits],
    ['SQS', 'requests', 2, prices.sqsRequests],
    ['Lambda, requests', 'requests', 1, prices.lambdaRequests],
    ['Lambda, duration', 'GB-seconds', seconds, prices.gigabyteSeconds],
  ];
  return ofMail.map(([service, unit, count, price]) => ({
    service,
    unit: `M ${unit}`,
    quantity: mailsOfOrder * count,
    dollars: mailsOfOrder * count * million * price,
  }));
}

/**
 * "When messages are available, Lambda starts processing five batches at a time", and with a maximum concurrency never fewer:
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const pollers = 5;

/** A million orders come evenly. Each poller waits for itself after the first message of its batch. */
export const messagesAtOnce = (windowSeconds: number, messagesOfOrder: number): number =>
  1 + (((messagesOfOrder * million) / secondsOfMonth) * windowSeconds) / pollers;

/** Of each message: where the orders are of one shop with one endpoint, a batch reads these once. */
const sharedReads: Record<QueueReader, number> = { ingest: 2, delivery: 2 };

/** Lambda receives each message for itself, because SQS answers as soon as it has one, and deletes those of a batch together. */
const requestsOfReader = (messages: number, windowSeconds: number): number =>
  messages + messages / messagesAtOnce(windowSeconds, messages);

/** Of an order. Functions that go on with what another one began are in its trace. */
const continued: readonly MeasuredFunction[] = ['ingest', 'delivery'];

/** One a second for all functions together, and 5 % of the rest. */
function tracesOf(invocations: Record<MeasuredFunction, number>): number {
  const begun = sumOf(invocations) - continued.reduce((sum, name) => sum + invocations[name], 0);
  const reservoir = secondsOfMonth / million;
  return reservoir + 0.05 * (begun - reservoir);
}

/** What a million orders cost, if they come within a month. */
export function billOf(order: OrderUsage, assumptions: Assumptions): BillLine[] {
  const { logBytes, kmsRequests, gatewayRequests, memory, windows, alarmMetrics, privacyRounds } = assumptions;
  const batchOf = (name: MeasuredFunction) =>
    isQueueReader(name) ? messagesAtOnce(windows[name], order.invocations[name]) : 1;
  const counts = Object.entries(order.invocations) as [MeasuredFunction, number][];
  const invocations = counts.reduce((sum, [name, count]) => sum + count / batchOf(name), 0);
  const gigabyteSeconds = counts.reduce(
    (sum, [name, count]) => sum + ((count / batchOf(name)) * memory[name] * millisecondsOf(name, memory[name])) / 1000,
    0,
  );
  const sqsRequests =
    order.sends + queueReaders.reduce((sum, name) => sum + requestsOfReader(order.invocations[name], windows[name]), 0);
  const sharedUnits = queueReaders.reduce((sum, name) => {
    const messages = order.invocations[name];
    return sum + sharedReads[name] * (messages - messages / messagesAtOnce(windows[name], messages));
  }, 0);
  const logGigabytes = ((invocations * logBytes + gatewayRequests * accessLogBytes) * million) / 1e9;
  const storedGigabytes = (order.storedBytes * million) / 1e9;
  const priceOfRound =
    idleRound.readUnits * prices.readUnits +
    prices.lambdaRequests +
    (idleRound.milliseconds / 1000) * prices.gigabyteSeconds;
  const perOrder = (service: string, unit: string, count: number, price: number): BillLine => ({
    service,
    unit: `M ${unit}`,
    quantity: count,
    dollars: count * million * price,
  });
  return [
    perOrder('DynamoDB, writes', 'write units', sumOf(order.writeUnits), prices.writeUnits),
    perOrder('DynamoDB, reads', 'read units', sumOf(order.readUnits) - sharedUnits, prices.readUnits),
    {
      service: 'DynamoDB, storage for a month',
      unit: 'GB',
      quantity: storedGigabytes,
      dollars: storedGigabytes * prices.storedGigabytes,
    },
    perOrder('SQS', 'requests', sqsRequests, prices.sqsRequests),
    perOrder('Lambda, requests', 'requests', invocations, prices.lambdaRequests),
    perOrder('Lambda, duration', 'GB-seconds', gigabyteSeconds, prices.gigabyteSeconds),
    perOrder('API Gateway', 'requests', gatewayRequests, prices.apiRequests),
    perOrder('CloudFront', 'requests', allRequests, prices.distributionRequests),
    perOrder('CloudFront, functions', 'requests', assumptions.edgeFunctions, prices.edgeFunctions),
    perOrder('KMS', 'requests', kmsRequests, prices.kmsRequests),
    perOrder('X-Ray', 'traces', assumptions.isTraced ? tracesOf(order.invocations) : 0, prices.traces),
    { service: 'CloudWatch, logs', unit: 'GB', quantity: logGigabytes, dollars: logGigabytes * prices.logGigabytes },
    {
      service: 'CloudWatch, alarms',
      unit: 'metrics of alarms',
      quantity: alarmMetrics,
      dollars: alarmMetrics * prices.alarms,
    },
    {
      service: 'CloudWatch, names of throttled keys',
      unit: 'rules',
      quantity: assumptions.insightRules,
      dollars: assumptions.insightRules * prices.insightRules,
    },
    {
      service: 'privacy-work without work',
      unit: 'rounds',
      quantity: privacyRounds,
      dollars: privacyRounds * priceOfRound,
    },
  ];
}

const isQueueReader = (name: MeasuredFunction): name is QueueReader => queueReaders.some((reader) => reader === name);
