import { logger } from '#platform/logging.ts';
import { dueCount } from '#platform/once-a-minute.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { commit, update } from '#platform/table/writes.ts';
import { dayAfter, dayAt } from '#platform/time.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';

/**
 * When a provider last sent a webhook, and how many were refused, for the operator. An execution environment writes each at
 * most once a minute, so neither a busy provider nor somebody who guesses signatures costs more.
 */

export async function noteWebhook(provider: TrackingProviderName, now: Date): Promise<void> {
  if (dueCount(`tracking ${provider} genuine`, now) === undefined) return;
  await quietly(provider, () =>
    commit([
      update(keyOf.lastWebhook(provider), {
        UpdateExpression: 'SET last_webhook_at = :at',
        ExpressionAttributeValues: { ':at': now.toISOString() },
      }),
    ]),
  );
}

export async function noteRefusedWebhook(provider: TrackingProviderName, now: Date): Promise<void> {
  const count = dueCount(`tracking ${provider} refused`, now);
  if (count === undefined) return;
  await quietly(provider, () =>
    commit([
      update(keyOf.refusedWebhooks(provider, dayAt(now)), {
        UpdateExpression: 'SET expires_at = :expires ADD refused :count',
        ExpressionAttributeValues: { ':count': count, ':expires': Math.floor(now.getTime() / 1000) + secondsOfDays(3) },
      }),
    ]),
  );
}

/** The webhook itself must not fail because of this. */
async function quietly(provider: TrackingProviderName, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.warn('a webhook is not noted', { provider, reason: (error as Error).name });
  }
}

export interface WebhookMarks {
  provider: TrackingProviderName;
  last_webhook_at: string | null;
  /** Codes that have no event. */
  unmapped: number;
  /** Of today and yesterday. */
  refused: number;
}

export async function readWebhookMarks(names: readonly TrackingProviderName[], now: Date): Promise<WebhookMarks[]> {
  const today = dayAt(now);
  const days = [today, dayAfter(today, -1)];
  const keysOf = (provider: TrackingProviderName) => [
    keyOf.lastWebhook(provider),
    keyOf.unmappedCount(provider),
    ...days.map((day) => keyOf.refusedWebhooks(provider, day)),
  ];
  const items = await batchGet(names.flatMap(keysOf));
  return names.map((provider, i) => {
    const [last, unmapped, ...refused] = items.slice(i * (2 + days.length), (i + 1) * (2 + days.length));
    return {
      provider,
      last_webhook_at: (last?.last_webhook_at as string | undefined) ?? null,
      unmapped: (unmapped?.entries as number | undefined) ?? 0,
      refused: refused.reduce((sum, item) => sum + ((item?.refused as number | undefined) ?? 0), 0),
    };
  });
}
