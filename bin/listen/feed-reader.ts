import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Events, type EventsInput, signatureHeaders, type ToldEvent } from '#schemas/client/index.ts';
import type { Bookmark } from './bookmark.ts';
import { currentSecret } from './endpoint-secret.ts';
import { type BackOff, patiently, usualBackOff, waitMs } from './patience.ts';
import type { Outcome, Outgoing, Post } from './post.ts';
import type { Report } from './report.ts';

export interface FeedReading {
  client: Client<'slug'>;
  /** The uuid of the endpoint. */
  uuid: string;
  post: Post;
  report: Report;
  signal: AbortSignal;
  bookmark: Pick<Bookmark, 'read' | 'save'>;
  /** Where to begin. Undefined: where the last run ended, and if there was none, now. */
  from?: 'start' | 'now' | undefined;
  backOff?: BackOff | undefined;
}

/** A secret that was changed signs after so long. */
const secretMs = 10_000;

/**
 * Posts the events of an endpoint one after the other, in the order of the feed. An event counts as read when the receiver has
 * answered, so a lost connection loses none; and then the file says so, so that another run does not post it again.
 */
export class FeedReader {
  readonly #options: FeedReading;
  #events: Events | undefined;
  #secret = { value: '', at: 0 };

  constructor(options: FeedReading) {
    this.#options = options;
  }

  /** Finds where to begin, and keeps that in mind: what comes from now on is posted, whatever happens. */
  async start(): Promise<void> {
    const { client, uuid, signal, bookmark, from } = this.#options;
    this.#secret = { value: await currentSecret(client, uuid, signal), at: Date.now() };
    const after = from === undefined ? await bookmark.read() : undefined;
    const cursor = after ?? (from === 'start' ? undefined : await this.#end());
    if (cursor !== undefined) await bookmark.save(cursor);
    this.#events = this.#eventsFrom({ after: cursor });
  }

  /** Ends when the signal does. */
  async run(): Promise<void> {
    const { bookmark } = this.#options;
    const events = this.#events!;
    try {
      for await (const event of events) {
        if (event.erased || event.payload === null) this.#passOver(event);
        else await this.#forward(event);
        await bookmark.save(event.cursor);
      }
    } finally {
      // Also if no event came for so long that the cursor of the last one would be too old.
      if (events.cursor !== undefined) await bookmark.save(events.cursor);
    }
  }

  /** Where the feed ends now. */
  async #end(): Promise<string | undefined> {
    const future = this.#eventsFrom({ from: '9999-12-31T23:59:59Z', until: 'end' });
    for await (const _event of future);
    return future.cursor;
  }

  #eventsFrom(where: Pick<EventsInput, 'after' | 'from' | 'until'>): Events {
    const { client, uuid, signal, report, backOff = usualBackOff } = this.#options;
    const onRetry = (error: Error) => report.sayOnce(`${error.message} Trying again …`);
    return client.events({ ...where, endpoint: uuid, signal, pauses: backOff, onRetry });
  }

  #passOver({ id, erased }: { id: string; erased?: true | undefined }): void {
    this.#options.report.say(`${id} ${erased ? 'is erased' : 'is too large to be read'}.`);
  }

  /** A receiver that does not run, or has a fault, gets the event when it takes it. What follows waits, to keep the order. */
  async #forward(event: ToldEvent): Promise<void> {
    const { post, report, signal, backOff = usualBackOff } = this.#options;
    for (let failures = 0; ; failures++) {
      const outcome = await post(await this.#requestOf(event));
      const trouble = troubleOf(outcome);
      if (!trouble) return report.posted({ ref: event.ref, id: event.id, outcome });
      report.sayOnce(`The receiver ${trouble}. Trying again …`);
      await sleep(waitMs(failures, backOff), undefined, { signal });
    }
  }

  /** Signed anew each time, because receivers refuse a signature that is older than five minutes. */
  async #requestOf(event: ToldEvent): Promise<Outgoing> {
    const { client, uuid, report, signal, backOff } = this.#options;
    if (Date.now() - this.#secret.at > secretMs) {
      const value = await patiently(() => currentSecret(client, uuid, signal), { report, signal, backOff });
      this.#secret = { value, at: Date.now() };
    }
    return requestOf(event, this.#secret.value, new Date());
  }
}

/** What may be otherwise the next time. A receiver that does not answer for long may have somebody's debugger in it. */
function troubleOf(outcome: Outcome): string | undefined {
  if ('failure' in outcome) return outcome.failure === 'unreachable' ? 'does not answer' : undefined;
  return outcome.status === 429 || outcome.status >= 500 ? `answers ${outcome.status}` : undefined;
}

/** The request as the service sends it. */
export async function requestOf(event: ToldEvent, secret: string, now: Date): Promise<Outgoing> {
  const { id, at, subject_version, simulation_id, payload } = event;
  const body = Buffer.from(JSON.stringify(payload));
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'post-purchase-service',
      ...(subject_version !== null && { 'webhook-subject-version': String(subject_version) }),
      ...(simulation_id !== null && { 'webhook-simulation': simulation_id }),
      'webhook-hour': `${at.slice(0, 'yyyy-mm-ddThh'.length)}:00:00Z`,
      ...(await signatureHeaders(body, { id, secret, seconds: Math.floor(now.getTime() / 1000) })),
    },
    body,
  };
}
