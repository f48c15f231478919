import { parseArgs } from 'node:util';
import { askAccount, questionsOf } from '#lib/deployment/account.ts';
import { type Finding, findingsOf, isReady } from '#lib/deployment/preflight.ts';
import { loadStage, StageError } from '#lib/stage.ts';
import { stackNameOf } from '#lib/synthesize.ts';

const usage = `Ask the account what it allows, before a deployment does: one line for each subject.

  npm run preflight -- --stage NAME     NAME: a file of lib/stages.

It uses the AWS credentials and the region of your environment, and changes nothing. It ends with 1 if the deployment would fail.`;

const signs: Record<Finding['verdict'], string> = { fits: 'ok    ', weak: 'look  ', stops: 'STOPS ' };

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help || values.stage === undefined) throw new StageError(usage);
  const stage = await loadStage(values.stage);
  const names = { stageName: values.stage, stackName: stackNameOf(values.stage) };
  const facts = await askAccount(questionsOf(names.stackName, stage));
  const findings = findingsOf(names, stage, facts);
  for (const { subject, verdict, sentence } of findings) console.log(`${signs[verdict]} ${subject}: ${sentence}`);
  return isReady(findings);
}

try {
  if (!(await main())) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
