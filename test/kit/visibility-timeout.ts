import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

/** Makes failed messages visible again after this many seconds, so that a test need not wait as long as a deployed queue. */
export function setVisibilityTimeout(assembly: string, visibilityTimeout: number): void {
  const file = join(assembly, readdirSync(assembly).find((name) => name.endsWith('.template.json'))!);
  const template: Template = JSON.parse(readFileSync(file, 'utf8'));
  const queues = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::SQS::Queue');
  for (const { Properties } of queues) {
    if (Properties.RedrivePolicy) Properties.VisibilityTimeout = visibilityTimeout;
  }
  writeFileSync(file, JSON.stringify(template));
}
