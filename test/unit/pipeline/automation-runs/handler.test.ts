import type { SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { performRun } from '#domain/automations/perform-run.ts';
import { handler } from '#pipeline/automation-runs/handler.ts';
import { type Caused, cause, causedBy } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { keyOf } from '#platform/table/keys.ts';
import { tableWith } from '#test/kit/table.ts';

vi.mock('#domain/automations/perform-run.ts', () => ({ performRun: vi.fn() }));

test('what a run does is caused by the request that caused its event, and logged with it', async () => {
  const event = causedBy('0198b1f0-6c3a-4d11-9a3e-5f0c7d2e8b41', cause);
  const key = keyOf.automationRun('blue', 'automation', 'run');
  tableWith({ ...key, id: 'run', automation_id: 'automation', shop_slug: 'blue', event, finished_at: null });
  const causes: Caused[] = [];
  vi.mocked(performRun).mockImplementation(async () => void causes.push(cause()));
  const info = vi.spyOn(logger, 'info').mockImplementation(() => undefined);
  const body = JSON.stringify({ shop_slug: 'blue', automation_id: 'automation', run_id: 'run', ...event });
  const message = { messageId: 'm', body, eventSourceARN: 'runs' };
  expect(await handler({ Records: [message] } as SQSEvent)).toEqual({ batchItemFailures: [] });
  expect(event.cause).toHaveLength(22);
  expect(causes).toEqual([event]);
  const correlation_ids = ['0198b1f0-6c3a-4d11-9a3e-5f0c7d2e8b41'];
  expect(info).toHaveBeenCalledWith('automation runs', expect.objectContaining({ correlation_ids }));
});
