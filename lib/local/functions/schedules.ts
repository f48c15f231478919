import { randomUUID } from 'node:crypto';
import { mayInvoke } from '../gateway/integrations.ts';
import { account, region } from '../template/physical-names.ts';
import type { StackTemplate } from '../template/template.ts';
import type { FunctionPool } from './function-pool.ts';

export interface Schedules {
  stop(): void;
}

interface Task {
  logicalId: string;
  milliseconds: number;
  pool: FunctionPool;
  event(): unknown;
}

interface RuleProperties {
  ScheduleExpression?: string;
  State?: string;
  Targets?: { Arn: string; Input?: string }[];
}

interface ScheduleProperties {
  ScheduleExpression: string;
  State?: string;
  Target: { Arn: string; Input?: string };
}

const units: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export function rateInMilliseconds(expression: string): number {
  const match = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression.trim());
  if (!match)
    throw new Error(
      `The local stack supports only schedules of the form rate(n minutes|hours|days), not ${expression}.`,
    );
  return Number(match[1]) * units[match[2]!]!;
}

/** Runs the template's schedules. The first run is after one interval, and runs never overlap. */
export function startSchedules(
  stack: StackTemplate,
  pools: ReadonlyMap<string, FunctionPool>,
  log: (line: string) => void,
): Schedules {
  const tasks = [...ruleTasks(stack, pools, log), ...scheduleTasks(stack, pools)];
  const timers = tasks.map((task) => {
    let running = false;
    return setInterval(() => {
      if (running) return;
      running = true;
      task.pool
        .invoke(task.event())
        .catch((error: Error) => log(`${task.logicalId}: ${error.message}`))
        .finally(() => {
          running = false;
        });
    }, task.milliseconds);
  });
  return { stop: () => timers.forEach(clearInterval) };
}

function ruleTasks(
  stack: StackTemplate,
  pools: ReadonlyMap<string, FunctionPool>,
  log: (line: string) => void,
): Task[] {
  return stack.resources('AWS::Events::Rule').flatMap(({ logicalId, properties }) => {
    const { ScheduleExpression, State, Targets = [] } = properties as RuleProperties;
    if (!ScheduleExpression || State === 'DISABLED') return [];
    const ruleArn = `arn:aws:events:${region}:${account}:rule/${stack.name}-${logicalId}`;
    return Targets.flatMap((target) => {
      const pool = pools.get(target.Arn);
      if (!pool) return [];
      if (!mayInvoke(stack, 'events.amazonaws.com', target.Arn, ruleArn)) {
        log(`${logicalId} may not invoke ${pool.definition.logicalId}: no AWS::Lambda::Permission allows it.`);
        return [];
      }
      const event = () => (target.Input ? JSON.parse(target.Input) : scheduledEvent(ruleArn));
      return [{ logicalId, milliseconds: rateInMilliseconds(ScheduleExpression), pool, event }];
    });
  });
}

function scheduleTasks(stack: StackTemplate, pools: ReadonlyMap<string, FunctionPool>): Task[] {
  return stack.resources('AWS::Scheduler::Schedule').flatMap(({ logicalId, properties }) => {
    const { ScheduleExpression, State, Target } = properties as unknown as ScheduleProperties;
    const pool = pools.get(Target.Arn);
    if (!pool || State === 'DISABLED') return [];
    const event = () => JSON.parse(Target.Input ?? '{}');
    return [{ logicalId, milliseconds: rateInMilliseconds(ScheduleExpression), pool, event }];
  });
}

function scheduledEvent(ruleArn: string): Record<string, unknown> {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [ruleArn],
    detail: {},
  };
}
