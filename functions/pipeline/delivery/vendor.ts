import type { AttemptResult, SentRequest } from '#domain/deliveries/delivery-rules.ts';
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
import { type Call, callDeadlineMs } from '#platform/outgoing/call.ts';
import { withoutSecrets } from '#platform/secrets/mask.ts';
import { beginningOf, type VendorDestination } from './post.ts';

/** Sends deliveries in one exchange. Never throws: a failure is part of the results, which have the order of the deliveries. */
export type SendToVendor = (
  deliveries: readonly VendorDelivery[],
  destination: VendorDestination,
) => Promise<AttemptResult[]>;

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
