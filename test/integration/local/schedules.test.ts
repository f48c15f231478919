import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FunctionPool } from '#lib/local/functions/function-pool.ts';
import { startSchedules } from '#lib/local/functions/schedules.ts';
import type { Template } from '#lib/local/template/assembly.ts';
import { resolveStack, type StackTemplate } from '#lib/local/template/template.ts';

const arn = { 'Fn::GetAtt': ['Due', 'Arn'] };
const template: Template = {
  Resources: {
    Due: { Type: 'AWS::Lambda::Function' },
    EveryMinute: {
      Type: 'AWS::Events::Rule',
      Properties: { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED', Targets: [{ Arn: arn, Id: 'Target0' }] },
    },
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: { Action: 'lambda:InvokeFunction', FunctionName: arn, Principal: 'events.amazonaws.com' },
    },
  },
};

const stackOf = (given: Template): StackTemplate => ({
  ...resolveStack(given, 'Shop', 'http://127.0.0.1:1'),
  assetFolder: () => '',
});

function poolsOf(stack: StackTemplate, invoke: (event: unknown) => Promise<unknown>): Map<string, FunctionPool> {
  const [due] = stack.resources('AWS::Lambda::Function');
  const pool = { invoke, definition: { logicalId: 'Due' } } as unknown as FunctionPool;
  return new Map([[due!.arn, pool]]);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a rule runs its function after one interval, with the event of a schedule', async () => {
  const stack = stackOf(template);
  const invoke = vi.fn(async () => null);
  const schedules = startSchedules(stack, poolsOf(stack, invoke), () => {});
  await vi.advanceTimersByTimeAsync(59_000);
  expect(invoke).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(invoke).toHaveBeenCalledTimes(2);
  expect(invoke).toHaveBeenCalledWith(
    expect.objectContaining({ 'detail-type': 'Scheduled Event', source: 'aws.events' }),
  );
  schedules.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(invoke).toHaveBeenCalledTimes(2);
});

test('a run that takes longer than its interval is not overtaken by the next one', async () => {
  const stack = stackOf(template);
  const invoke = vi.fn(() => new Promise(() => {}));
  const schedules = startSchedules(stack, poolsOf(stack, invoke), () => {});
  await vi.advanceTimersByTimeAsync(300_000);
  expect(invoke).toHaveBeenCalledTimes(1);
  schedules.stop();
});

test('a rule without the right to invoke its function reports that and does not invoke it', async () => {
  const { Permission: _removed, ...Resources } = template.Resources;
  const stack = stackOf({ Resources });
  const invoke = vi.fn(async () => null);
  const lines: string[] = [];
  startSchedules(stack, poolsOf(stack, invoke), (line) => lines.push(line));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(invoke).not.toHaveBeenCalled();
  expect(lines).toEqual(['EveryMinute may not invoke Due: no AWS::Lambda::Permission allows it.']);
});

test('a schedule of the scheduler passes its input', async () => {
  const Target = { Arn: arn, Input: '{"kind":"due"}', RoleArn: 'role' };
  const schedule = { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression: 'rate(2 minutes)', Target } };
  const stack = stackOf({ Resources: { Due: template.Resources.Due!, Schedule: schedule } });
  const invoke = vi.fn(async () => null);
  const schedules = startSchedules(stack, poolsOf(stack, invoke), () => {});
  await vi.advanceTimersByTimeAsync(120_000);
  expect(invoke).toHaveBeenCalledWith({ kind: 'due' });
  schedules.stop();
});
