import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** Changes resources of a synthesized template, for a stack that is not to be quite as a deployed one. */
function changeResources(assembly: string, change: (resource: Resource) => void): void {
  const file = join(assembly, readdirSync(assembly).find((name) => name.endsWith('.template.json'))!);
  const template: { Resources: Record<string, Resource> } = JSON.parse(readFileSync(file, 'utf8'));
  for (const resource of Object.values(template.Resources)) change(resource);
  writeFileSync(file, JSON.stringify(template));
}

/** Makes failed messages visible again after this many seconds, so that a test need not wait as long as a deployed queue. */
export function setVisibilityTimeout(assembly: string, visibilityTimeout: number): void {
  changeResources(assembly, ({ Type, Properties }) => {
    if (Type === 'AWS::SQS::Queue' && Properties.RedrivePolicy) Properties.VisibilityTimeout = visibilityTimeout;
  });
}

/**
 * Functions get the records of the stream one after the other, and nothing happens that the test does not cause. In parallel
 * lanes it would depend on the keys of records which of them come in one batch, and which of two functions is first.
 */
export function makeSequential(assembly: string): void {
  changeResources(assembly, ({ Type, Properties }) => {
    if (Type === 'AWS::Lambda::EventSourceMapping' && Properties.ParallelizationFactor) {
      Object.assign(Properties, { ParallelizationFactor: 1, BatchSize: 1 });
    }
    // Messages come one at a time, so a batch would wait for nothing.
    if (Type === 'AWS::Lambda::EventSourceMapping' && !Properties.StartingPosition) {
      Object.assign(Properties, { MaximumBatchingWindowInSeconds: 0 });
    }
  });
  stopSchedules(assembly);
}

/** Nothing happens because of the time: a test runs the functions of the schedules itself. */
export function stopSchedules(assembly: string): void {
  changeResources(assembly, ({ Type, Properties }) => {
    if (Type === 'AWS::Events::Rule' || Type === 'AWS::Scheduler::Schedule') Properties.State = 'DISABLED';
  });
}

/** Hides all records of the stream from a function, which then does only what a test asks of it. */
export function hideStreamFrom(assembly: string, functionId: string): void {
  const nothing = { Filters: [{ Pattern: JSON.stringify({ eventName: ['NOTHING'] }) }] };
  changeResources(assembly, ({ Type, Properties }) => {
    if (Type !== 'AWS::Lambda::EventSourceMapping') return;
    if (JSON.stringify(Properties.FunctionName).includes(functionId)) Properties.FilterCriteria = nothing;
  });
}
