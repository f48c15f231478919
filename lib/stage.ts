import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type IntegrationTargets, integrationTargetsFault } from '#schemas/catalogues/integration-targets.ts';
import { keyRateLimits } from '#schemas/catalogues/limits.ts';

/** What a deployment is configured with. Each stage has a file in `stages/`, whose name is the name of the stage. */
export interface Stage {
  /** The API's own address. The certificate is of the region us-east-1, where CloudFront looks for it. */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** The address that gets a mail when an alarm fires. */
  readonly alarmEmail?: string;
  /** What the account may cost in a month. A mail tells when it will, and when it does. */
  readonly monthlyBudgetDollars?: number;
  /** How many environments of functions the account may run at once: Lambda's quota in the region. The default is 1,000. */
  readonly concurrency?: number;
  /** A host that is asked from outside whether the service answers. The default is that of the domain; without both nobody asks. */
  readonly probedHost?: string;
  /** Where the events of each integration go, and in which form. */
  readonly integrationTargets?: IntegrationTargets;
  /** Deliveries come from one fixed address. It needs a NAT gateway, which costs by the hour. */
  readonly staticEgress?: boolean;
  /** How long CloudWatch keeps the logs. The default is 30 days. */
  readonly logRetentionDays?: LogRetentionDays;
  /** What the table can take at once from its first minute on. AWS bills it once, and it cannot be lowered. */
  readonly warmThroughput?: { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number };
  /**
   * Each shop's list of shipments by their last change is written to eight partitions instead of one. decisions/releases.md
   * says from which release on it may be set.
   */
  readonly spreadsShipments?: boolean;
  /** The lowest level of what functions log. The default is INFO, with a line for each request and each batch. */
  readonly logLevel?: LogLevel;
  /** What the API keys of one shop may use, if it is not what limits.ts says. */
  readonly keyRate?: KeyRateSetting;
  /** Who sends e-mails to customers. Absent: nobody does. */
  readonly email?: EmailSender;
  /** What each method of the API takes of all callers, if it is not `usualThrottle`. */
  readonly throttle?: ThrottleSetting;
  /**
   * How many requests of customers are worked on at once: so many are kept for the pages, and they get no more. Lambda takes ten
   * requests a second for each. Absent: pages share with all functions.
   */
  readonly pagesConcurrency?: number;
  /** The same for the webhooks of tracking providers. */
  readonly providersConcurrency?: number;
  /** A web ACL before everything. Absent: none. */
  readonly webAcl?: WebAclSetting;
  /**
   * By these the functions know that a request came through the distribution: it sends the first, and they accept all.
   * Absent: a part of the stack's id.
   */
  readonly distributionMarks?: readonly string[];
  /** CloudFormation does not delete the stack, and takes back a deployment during which an alarm fires. */
  readonly isProtected?: boolean;
}

/** Requests a second, and the size of a burst. */
export interface ThrottleSetting {
  readonly rate: number;
  readonly burst: number;
}

export const usualThrottle: ThrottleSetting = { rate: 2000, burst: 2000 };

/**
 * One of the stack's own, which refuses an address that asks for more pages, logins, docs and health checks, or one that there is already. AWS makes
 * web ACLs of distributions only in the region us-east-1.
 */
type WebAclSetting = { readonly requestsPerFiveMinutes: number } | { readonly arn: string };

export interface EmailSender {
  /** The address that mails come from. SES must know its domain. */
  readonly from: string;
  /** How many mails SES takes from this account in a second. */
  readonly maxPerSecond?: number;
  /** SES has an identity of the domain already, for example of another stage. Otherwise the stack makes one. */
  readonly hasIdentity?: boolean;
}

/** What SES takes from a new account that has left its sandbox: https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas.html. */
export const usualMailsPerSecond = 14;

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. A new account has less: ask for more before the first deployment. */
export const usualConcurrency = 1000;

/** The host that is asked from outside. Undefined: nobody asks. */
export const probedHostOf = ({ probedHost, domain }: Stage): string | undefined => probedHost ?? domain?.name;

/** The names of limits.ts. */
export interface KeyRateSetting {
  readonly unitsPerSecond: number;
  readonly burst: number;
  readonly uncounted: number;
}

export const usualKeyRate: KeyRateSetting = {
  unitsPerSecond: keyRateLimits.unitsPerSecond,
  burst: keyRateLimits.burst,
  uncounted: keyRateLimits.uncounted,
};

/** Those that CloudWatch offers up to a year. */
const logRetentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365] as const;

export type LogRetentionDays = (typeof logRetentions)[number];

const logLevels = ['INFO', 'WARN'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Gives the settings of a file their type. `loadStage` checks them, because nothing checks types at synthesis. */
export const stage = (settings: Stage): Stage => settings;

/** A mistake in a stage or its name. The message is all that its author needs. */
export class StageError extends Error {}

const folderOfStages = join(import.meta.dirname, 'stages');

export async function loadStage(name: string, folder = folderOfStages): Promise<Stage> {
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(name)) {
    throw new StageError(
      `The stage "${name}" has an impossible name: a stage is named with up to 20 small letters, digits and hyphens, a letter first.`,
    );
  }
  const file = join(folder, `${name}.ts`);
  const shown = relative(resolve(import.meta.dirname, '..'), file);
  if (!existsSync(file)) {
    throw new StageError(
      `The stage "${name}" has no file ${shown}: write one, or take one of ${stagesIn(folder).join(', ')}.`,
    );
  }
  const { default: settings } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const fault = stageFault(settings);
  if (fault) throw new StageError(`${shown}: ${fault}.`);
  return settings;
}

const stagesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();

/** What is wrong with the settings of a stage, as a part of a sentence. Undefined if they are valid. */
export function stageFault(settings: unknown): string | undefined {
  if (!isObject(settings)) return 'it must end with export default stage({ … })';
  return unknownKey('', settings, settingFaults) ?? firstFault('', settings, settingFaults) ?? budgetFault(settings);
}

const budgetFault = (settings: Stage): Fault =>
  settings.monthlyBudgetDollars !== undefined && settings.alarmEmail === undefined
    ? 'monthlyBudgetDollars needs alarmEmail, which is told'
    : undefined;

const webAclRegion = 'us-east-1';

/** What cannot be deployed to a region, as a part of a sentence. */
export function regionFault({ webAcl }: Stage, region: string | undefined): string | undefined {
  if (!webAcl || 'arn' in webAcl || region === undefined || region === webAclRegion) return undefined;
  return `webAcl.requestsPerFiveMinutes works only in ${webAclRegion}, where AWS keeps the web ACLs of distributions; make one there and set webAcl.arn, to deploy to ${region}`;
}

type Fault = string | undefined;
type FaultOf = (value: unknown, path: string) => Fault;
type Faults<Settings> = { readonly [Name in keyof Required<Settings>]: FaultOf };

const hostName = /^([a-z0-9-]+\.)+[a-z]{2,}$/;

const settingFaults: Faults<Stage> = {
  domain: (domain) => {
    if (!isObject(domain)) return 'domain must be an object with name and certificateArn';
    return unknownKey('domain.', domain, domainFaults) ?? firstFault('domain.', domain, domainFaults, 'all');
  },
  alarmEmail: mustBe(matches(/^[^\s@]+@[^\s@]+\.[^\s@]+$/), 'an e-mail address such as on-call@example.com'),
  monthlyBudgetDollars: mustBe(isWholeFrom(1), 'a whole number of dollars from 1 on'),
  concurrency: mustBe(isWholeFrom(10), 'a whole number from 10 on'),
  probedHost: mustBe(matches(hostName), 'a host name such as api.example.com'),
  integrationTargets: (targets) => {
    const fault = integrationTargetsFault(JSON.stringify(targets) ?? '');
    return fault === undefined ? undefined : `integrationTargets: ${fault}`;
  },
  staticEgress: mustBe((value) => typeof value === 'boolean', 'true or false'),
  logRetentionDays: mustBe(
    (value) => (logRetentions as readonly unknown[]).includes(value),
    `one of ${logRetentions.join(', ')}`,
  ),
  warmThroughput: (warm) => {
    if (!isObject(warm)) return 'warmThroughput must be an object with readUnitsPerSecond and writeUnitsPerSecond';
    return unknownKey('warmThroughput.', warm, warmFaults) ?? firstFault('warmThroughput.', warm, warmFaults, 'all');
  },
  spreadsShipments: mustBe((value) => typeof value === 'boolean', 'true or false'),
  logLevel: mustBe((value) => (logLevels as readonly unknown[]).includes(value), `one of ${logLevels.join(', ')}`),
  keyRate: (rate) => {
    if (!isObject(rate)) return 'keyRate must be an object with unitsPerSecond, burst and uncounted';
    return unknownKey('keyRate.', rate, keyRateFaults) ?? firstFault('keyRate.', rate, keyRateFaults, 'all');
  },
  email: (email) => {
    if (!isObject(email) || !('from' in email)) return 'email must be an object with from';
    return unknownKey('email.', email, emailFaults) ?? firstFault('email.', email, emailFaults);
  },
  throttle: (throttle) => {
    if (!isObject(throttle)) return 'throttle must be an object with rate and burst';
    return (
      unknownKey('throttle.', throttle, throttleFaults) ?? firstFault('throttle.', throttle, throttleFaults, 'all')
    );
  },
  pagesConcurrency: mustBe(isWholeFrom(1), 'a whole number from 1 on'),
  providersConcurrency: mustBe(isWholeFrom(1), 'a whole number from 1 on'),
  webAcl: (acl) => {
    if (!isObject(acl) || Object.keys(acl).length !== 1)
      return 'webAcl must be an object with either requestsPerFiveMinutes or arn';
    return unknownKey('webAcl.', acl, webAclFaults) ?? firstFault('webAcl.', acl, webAclFaults);
  },
  distributionMarks: mustBe(
    (value) => Array.isArray(value) && [1, 2].includes(value.length) && value.every(matches(/^[A-Za-z0-9-]{16,64}$/)),
    'a list of one or two texts of 16 to 64 letters, digits and hyphens',
  ),
  isProtected: mustBe((value) => typeof value === 'boolean', 'true or false'),
};

/** Every new table can take so much, and AWS accepts no less. */
const usualThroughput = { reads: 12_000, writes: 4_000 };

const warmFaults: Faults<NonNullable<Stage['warmThroughput']>> = {
  readUnitsPerSecond: mustBe(isWholeFrom(usualThroughput.reads), `a whole number from ${usualThroughput.reads} on`),
  writeUnitsPerSecond: mustBe(isWholeFrom(usualThroughput.writes), `a whole number from ${usualThroughput.writes} on`),
};

const keyRateFaults: Faults<KeyRateSetting> = {
  unitsPerSecond: mustBe(isWholeFrom(1), 'a whole number from 1 on'),
  burst: mustBe(isWholeFrom(2), 'a whole number from 2 on'),
  uncounted: mustBe(isWholeFrom(0), 'a whole number from 0 on'),
};

const throttleFaults: Faults<ThrottleSetting> = {
  rate: mustBe(isWholeFrom(1), 'a whole number from 1 on'),
  burst: mustBe(isWholeFrom(1), 'a whole number from 1 on'),
};

/** https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html */
const leastRate = 10;

const webAclFaults: Readonly<Record<'requestsPerFiveMinutes' | 'arn', FaultOf>> = {
  requestsPerFiveMinutes: mustBe(isWholeFrom(leastRate), `a whole number from ${leastRate} on`),
  arn: mustBe(
    matches(/^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/\S+$/),
    'the ARN of a web ACL of the region us-east-1 and of the scope CLOUDFRONT',
  ),
};

const emailFaults: Faults<EmailSender> = {
  // Only letters that need no quotes and no encoding, in its domain neither.
  from: mustBe(matches(/^[\w.+-]{1,64}@([a-z0-9-]+\.)+[a-z]{2,}$/), 'an e-mail address such as post@mail.example.com'),
  maxPerSecond: mustBe(isWholeFrom(1), 'a whole number from 1 on'),
  hasIdentity: mustBe((value) => typeof value === 'boolean', 'true or false'),
};

const domainFaults: Faults<NonNullable<Stage['domain']>> = {
  name: mustBe(matches(hostName), 'a host name such as api.example.com'),
  certificateArn: mustBe(
    matches(/^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/\S+$/),
    'the ARN of a certificate of the region us-east-1, where CloudFront looks for it',
  ),
};

function unknownKey(prefix: string, settings: object, known: object): Fault {
  const unknown = Object.keys(settings).find((key) => !Object.hasOwn(known, key));
  return unknown && `${prefix}${unknown} is not a setting; the settings are ${Object.keys(known).join(', ')}`;
}

function firstFault(
  prefix: string,
  settings: object,
  faults: Readonly<Record<string, FaultOf>>,
  needed: 'all' | 'given' = 'given',
): Fault {
  for (const [name, faultOf] of Object.entries(faults)) {
    const value = (settings as Record<string, unknown>)[name];
    const fault = value === undefined && needed === 'given' ? undefined : faultOf(value, prefix + name);
    if (fault) return fault;
  }
  return undefined;
}

function mustBe(isRight: (value: unknown) => boolean, allowed: string): FaultOf {
  return (value: unknown, path: string) => (isRight(value) ? undefined : `${path} must be ${allowed}`);
}

function isWholeFrom(least: number) {
  return (value: unknown): boolean => Number.isInteger(value) && (value as number) >= least;
}

function matches(pattern: RegExp) {
  return (value: unknown): boolean => typeof value === 'string' && pattern.test(value);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
