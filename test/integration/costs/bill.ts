import type { MeasuredFunction } from './played-orders.ts';

/** What one order uses of AWS on its whole way, on average. */
export interface OrderUsage {
  writeUnits: Record<MeasuredFunction, number>;
  readUnits: Record<MeasuredFunction, number>;
  invocations: Record<MeasuredFunction, number>;
  sqsRequests: number;
  /** In the table and its indexes, when all is done. */
  storedBytes: number;
}

/** What cannot be measured on a machine without AWS. */
export interface Assumptions {
  /** What an invocation writes to its log, with the lines of Lambda itself. */
  logBytes: number;
  /** Decrypted secrets for each order: an execution environment remembers them for a while. */
  kmsRequests: number;
  /** API Gateway's detailed metrics: five for each method. */
  methodsWithMetrics: number;
  /** CloudWatch bills each metric that an alarm looks at. */
  alarmMetrics: number;
  /** Of the schedule of privacy-work, in a month. */
  privacyRounds: number;
}

/** Of an invocation, with 1 GB of memory. Delivery waits for the answer of the merchant's system. */
const milliseconds: Record<MeasuredFunction, number> = {
  api: 40,
  ingest: 40,
  'fan-out': 40,
  delivery: 120,
  due: 0,
  counts: 40,
};

/** Of a round of privacy-work that finds nothing to do: one Query. */
const idleRound = { readUnits: 0.5, milliseconds: 40 };

const accessLogBytes = 400;
const metricsOfMethod = 5;

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
  kmsRequests: 3 / 1e6,
  logGigabytes: 0.5,
  metrics: 0.3,
  /** https://aws.amazon.com/ses/pricing/: $0.10 for 1,000. Ours have no attachments, which would be billed by the gigabyte. */
  mails: 0.1 / 1000,
  alarms: 0.1,
};

export interface BillLine {
  service: string;
  /** How many units, in millions where the unit is a request or a capacity unit. */
  quantity: number;
  unit: string;
  dollars: number;
}

const million = 1e6;
/** The API requests of an order: one places it, one fulfils it. */
const requestsOfOrder = 2;

export const sumOf = (parts: Record<MeasuredFunction, number>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

/** What the function for deliveries needs for one mail. */
export interface MailUsage {
  writeUnits: number;
  readUnits: number;
}

export const mailsOfOrder = 3;

/** What mails add to the bill of a million orders, in a stage that names a sender. */
export function billOfMails({ writeUnits, readUnits }: MailUsage): BillLine[] {
  // Fan-out sends one message more with those that it sends anyway; Lambda receives and deletes it.
  const ofMail: [service: string, unit: string, count: number, price: number][] = [
    ['SES', 'mails', 1, prices.mails],
    ['DynamoDB, writes', 'write units', writeUnits, prices.writeUnits],
    ['DynamoDB, reads', 'read units', readUnits, prices.readUnits],
    ['SQS', 'requests', 2, prices.sqsRequests],
    ['Lambda, requests', 'requests', 1, prices.lambdaRequests],
    ['Lambda, duration', 'GB-seconds', milliseconds.delivery / 1000, prices.gigabyteSeconds],
  ];
  return ofMail.map(([service, unit, count, price]) => ({
    service,
    unit: `M ${unit}`,
    quantity: mailsOfOrder * count,
    dollars: mailsOfOrder * count * million * price,
  }));
}

/** What a million orders cost, if they come within a month. */
export function billOf(order: OrderUsage, assumptions: Assumptions): BillLine[] {
  const { logBytes, kmsRequests, methodsWithMetrics, alarmMetrics, privacyRounds } = assumptions;
  const invocations = sumOf(order.invocations);
  const seconds = Object.entries(order.invocations).reduce(
    (sum, [name, count]) => sum + (count * milliseconds[name as MeasuredFunction]) / 1000,
    0,
  );
  const logGigabytes = ((invocations * logBytes + requestsOfOrder * accessLogBytes) * million) / 1e9;
  const storedGigabytes = (order.storedBytes * million) / 1e9;
  const metrics = methodsWithMetrics * metricsOfMethod;
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
    perOrder('DynamoDB, reads', 'read units', sumOf(order.readUnits), prices.readUnits),
    {
      service: 'DynamoDB, storage for a month',
      unit: 'GB',
      quantity: storedGigabytes,
      dollars: storedGigabytes * prices.storedGigabytes,
    },
    perOrder('SQS', 'requests', order.sqsRequests, prices.sqsRequests),
    perOrder('Lambda, requests', 'requests', invocations, prices.lambdaRequests),
    perOrder('Lambda, duration', 'GB-seconds', seconds, prices.gigabyteSeconds),
    perOrder('API Gateway', 'requests', requestsOfOrder, prices.apiRequests),
    perOrder('CloudFront', 'requests', requestsOfOrder, prices.distributionRequests),
    perOrder('KMS', 'requests', kmsRequests, prices.kmsRequests),
    { service: 'CloudWatch, logs', unit: 'GB', quantity: logGigabytes, dollars: logGigabytes * prices.logGigabytes },
    { service: 'CloudWatch, detailed metrics', unit: 'metrics', quantity: metrics, dollars: metrics * prices.metrics },
    {
      service: 'CloudWatch, alarms',
      unit: 'metrics of alarms',
      quantity: alarmMetrics,
      dollars: alarmMetrics * prices.alarms,
    },
    {
      service: 'privacy-work without work',
      unit: 'rounds',
      quantity: privacyRounds,
      dollars: privacyRounds * priceOfRound,
    },
  ];
}
