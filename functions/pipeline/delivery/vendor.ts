import { type AttemptResult, isTooLong, type SentRequest, waitOf } from '#domain/deliveries/delivery-rules.ts';
import type { Turn } from '#domain/deliveries/pace-store.ts';
import { vendorRequest } from '#domain/deliveries/sent-request.ts';
import { type AccessToken, AccessTokens, tokenOf } from '#domain/vendors/access-tokens.ts';
import { inHeader, secretsOf } from '#domain/vendors/credential.ts';
import {
  type Dialect,
  NoAnswer,
  type TokenRequest,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorRequest,
  type VendorResult,
} from '#domain/vendors/dialect.ts';
import { answerIn, outgoingOf, perform } from '#domain/vendors/exchange.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { type Call, callDeadlineMs } from '#platform/outgoing/call.ts';
import { withoutSecrets } from '#platform/secrets/mask.ts';
import {
  conclude,
  end,
  endedAttempt,
  isReady,
  type MessageResult,
  type Ready,
  type TargetState,
  throttleSeconds,
} from './deliver.ts';
import type { Job, Ports } from './job.ts';
import { beginningOf, type SendToVendor, type VendorDestination } from './post.ts';

/** The deliveries of one target, whose vendor takes them in its own form, several in one exchange where it allows that. */
export interface Together {
  jobs: readonly Job[];
  prepare: (job: Job) => Promise<Ready | MessageResult>;
  vendor: VendorDestination;
  target: TargetState;
  ports: Ports;
  hasTime: () => boolean;
  /** Does the rest for the message of a job. Never throws. */
  finish: (job: Job, work: () => Promise<MessageResult>) => Promise<void>;
  maxConcurrent: number;
}

/** A delivery that can be attempted, with what it says. */
interface Outgoing extends VendorDelivery {
  job: Job;
  ready: Ready;
  batchKey: string | undefined;
}

/** A delivery is recorded as soon as its own exchange is over. */
export async function deliverTogether(together: Together): Promise<void> {
  const { jobs, vendor, ports, finish, maxConcurrent } = together;
  const prepared = await Promise.all(jobs.map((job) => outgoingFor(job, together)));
  const useful = prepared.filter((outgoing) => outgoing !== undefined);
  const turn = await turnFor(useful, together);
  const isEarly = ({ job }: Outgoing) => turn.waitSeconds > 0 && !job.hasTurn;
  const due = useful.filter((outgoing) => !isEarly(outgoing));
  await Promise.all([
    ...useful.filter(isEarly).map(({ job, ready }) => finish(job, () => waitForTurn(job, ready, turn, ports))),
    mapConcurrently(batchesOf(due, vendor), (batch) => exchangeOne(batch, together), maxConcurrent),
  ]);
}

/** Undefined if the delivery cannot be attempted, or is of no use to the vendor. Then the job is finished. */
async function outgoingFor(job: Job, { prepare, vendor, ports, finish }: Together): Promise<Outgoing | undefined> {
  let outgoing: Outgoing | undefined;
  await finish(job, async () => {
    const ready = await prepare(job);
    if (!isReady(ready)) return ready;
    const delivery = { id: ready.delivery.id, payload: JSON.parse(Buffer.from(ready.body).toString()) };
    const skipReason = vendor.dialect.skipReason(delivery, vendor.account);
    if (skipReason !== undefined) return end(ready.delivery, 'cancelled', ports, skipReason);
    outgoing = { ...delivery, job, ready, batchKey: vendor.dialect.batchKey?.(delivery, vendor.account) };
    // For now: its exchange decides about its message.
    return 'done';
  });
  return outgoing;
}

/** A turn for the deliveries that have none. */
async function turnFor(useful: readonly Outgoing[], { vendor, ports }: Together): Promise<Turn> {
  const without = useful.filter(({ job }) => !job.hasTurn);
  if (without.length === 0) return { waitSeconds: 0, hasTurn: true };
  const { shop_slug, target } = without[0]!.job;
  const exchanges = batchesOf(without, vendor).length;
  return ports.pace.takeTurns(shop_slug, target, exchanges, vendor.dialect.rate, ports.now());
}

async function waitForTurn(job: Job, { delivery }: Ready, turn: Turn, ports: Ports): Promise<MessageResult> {
  const wait = waitOf(delivery, job.wait, ports.now());
  return isTooLong(wait, ports.now()) ? end(delivery, 'failed', ports, 'rate_limited') : { ...turn, wait };
}

/** The deliveries that go in one exchange each. */
const batchesOf = (outgoing: readonly Outgoing[], { dialect }: VendorDestination): Outgoing[][] =>
  [...Map.groupBy(outgoing, ({ batchKey }) => batchKey).values()].flatMap((group) => chunks(group, dialect.maxBatch));

async function exchangeOne(batch: readonly Outgoing[], together: Together): Promise<void> {
  const { vendor, target, ports, hasTime, finish } = together;
  if (!hasTime()) {
    await Promise.all(batch.map(({ job }) => finish(job, async () => 'back_at_once')));
    return;
  }
  const began = ports.now();
  const results = await ports.sendToVendor(batch, vendor);
  const ended = ports.now();
  const throttled = results.filter(({ isThrottled }) => isThrottled).map((result) => throttleSeconds(result, ended));
  const { shop_slug, target: id } = batch[0]!.job;
  if (throttled.length > 0) {
    await ports.pace.postpone(shop_slug, id, Math.max(...throttled), vendor.dialect.rate, ended);
  }
  // The circuit counts failures in a row. One exchange is one failure, however many deliveries it had.
  const failed = results.findIndex(({ isTargetUp }) => isTargetUp === false);
  const uncounted = { ...target.circuit, failure: async () => {} };
  await Promise.all(
    batch.map(({ job, ready }, place) => {
      const circuit = failed === -1 || failed === place ? target.circuit : uncounted;
      const attempt = endedAttempt(began, ended, results[place]!);
      return finish(job, () => conclude(job, ready, attempt, circuit, ports));
    }),
  );
}

export interface VendorOptions {
  call: Call;
  now: () => Date;
  tokens?: AccessTokens;
}

export function createVendorSender({ call, now, tokens = new AccessTokens() }: VendorOptions): SendToVendor {
  return async (deliveries, { dialect, account }) => {
    const conversation = new Conversation({ call, now, tokens }, dialect, account, deliveries.length > 1);
    try {
      const exchange = dialect.exchange(deliveries, account, now());
      const results = await perform(exchange, (request) => conversation.answerTo(request));
      return results.map((result) => conversation.attemptResult(result));
    } catch (error) {
      const result = conversation.attemptResult({ kind: 'again', reason: failureOf(error) });
      return deliveries.map(() => result);
    }
  };
}

/** An answer of another form than documented is the vendor's fault, and must not look like ours. */
const failureOf = (error: unknown): string => (error instanceof NoAnswer ? error.message : 'malformed_answer');

/** The requests of one exchange. One deadline holds for all of them together. */
class Conversation {
  readonly #world: Required<VendorOptions>;
  readonly #dialect: Dialect;
  readonly #account: VendorAccount;
  readonly #endAt: number;
  /** What must not appear in anything that we keep. */
  readonly #secrets: string[];
  readonly #isForMany: boolean;
  /** The last one, unless it was about one of many deliveries: the others must not show it. */
  #lastForAll: VendorAnswer | NoAnswer | undefined;
  readonly #requests = new Map<VendorAnswer | NoAnswer, SentRequest>();

  constructor(world: Required<VendorOptions>, dialect: Dialect, account: VendorAccount, isForMany: boolean) {
    this.#world = world;
    this.#isForMany = isForMany;
    this.#dialect = dialect;
    this.#account = account;
    this.#endAt = world.now().getTime() + callDeadlineMs;
    this.#secrets = secretsOf(account.credential);
  }

  async answerTo(request: VendorRequest): Promise<VendorAnswer> {
    const tokenRequest = this.#dialect.tokenRequest?.(this.#account);
    if (!tokenRequest) return this.#send(request);
    const token = await this.#token(tokenRequest);
    const answer = await this.#send(withToken(request, token));
    if (answer.status !== 401) return answer;
    // The vendor may end a token before its time. If a new one is refused too, the credential is wrong.
    await this.#world.tokens.forget(tokenRequest, token);
    return this.#send(withToken(request, await this.#token(tokenRequest)));
  }

  async #token(request: TokenRequest): Promise<string> {
    const { tokens, now } = this.#world;
    const value = await tokens.get(request, () => this.#newToken(request), now());
    this.#secrets.push(value);
    return value;
  }

  async #newToken({ url, headers, body }: TokenRequest): Promise<AccessToken> {
    const { status, body: answer } = await this.#call({ method: 'POST', url, headers, body: Buffer.from(body) });
    const token = status === 200 ? tokenOf(answer, this.#world.now()) : undefined;
    if (!token) throw new NoAnswer(`token_http_${status}`);
    return token;
  }

  #send(request: VendorRequest): Promise<VendorAnswer> {
    const { isForOne = !this.#isForMany } = request;
    const outgoing = outgoingOf(request, this.#account);
    const body = isForOne ? outgoing.body?.toString('utf8') : undefined;
    return this.#call(outgoing, { body, isForAll: !(isForOne && this.#isForMany) });
  }

  /** @param shown its body, unless that holds a credential or the events of several deliveries */
  async #call(
    request: Parameters<Call>[0],
    shown: { body?: string | undefined; isForAll: boolean } = { isForAll: true },
  ): Promise<VendorAnswer> {
    const { call, now } = this.#world;
    this.#lastForAll = undefined;
    const deadlineMs = this.#endAt - now().getTime();
    if (deadlineMs <= 0) throw new NoAnswer('timeout');
    const headers = { ...commonHeaders, ...request.headers };
    const sent = vendorRequest({ ...request, headers, body: shown.body }, this.#secrets);
    const answer = answerIn(await call({ ...request, headers, deadlineMs }));
    this.#requests.set(answer, sent);
    if (shown.isForAll) this.#lastForAll = answer;
    if (answer instanceof NoAnswer) throw answer;
    return answer;
  }

  attemptResult(result: VendorResult): AttemptResult {
    const answer = result.answer ?? this.#lastForAll;
    const { status, text } = answer === undefined || answer instanceof NoAnswer ? {} : answer;
    const response = text && beginningOf(Buffer.from(withoutSecrets(text, this.#secrets)));
    const request = answer && this.#requests.get(answer);
    const answered = { ...(status !== undefined && { status }), ...(response && { response }), request };
    switch (result.kind) {
      case 'accepted':
        return answered;
      case 'refused':
        return { ...answered, error: result.reason, isFinal: true };
      case 'throttled':
        return { ...answered, error: `http_${status ?? 429}`, isThrottled: true, ...retryAfter(result) };
      case 'again':
        return { ...answered, error: result.reason, isTargetUp: result.isVendorUp ?? false, ...retryAfter(result) };
    }
  }
}

const commonHeaders = { accept: 'application/json', 'user-agent': 'post-purchase-service' };

const withToken = (request: VendorRequest, token: string): VendorRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${inHeader(token)}` },
});

const retryAfter = ({ waitSeconds }: { waitSeconds?: number }) =>
  waitSeconds === undefined ? {} : { retryAfter: String(waitSeconds) };
