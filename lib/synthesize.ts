import { join } from 'node:path';
import { Annotations, App, type AppProps } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { bundleFunctions } from './bundling/bundle.ts';
import { bundleConsole } from './bundling/console.ts';
import { ProbeStack } from './probe-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { loadStage, probedHostOf, regionFault, type Stage, StageError } from './stage.ts';

const localStage = 'local';

interface ServiceAppProps extends AppProps {
  bundles?: string;
  /** Whether it may be deployed, which the local stack may not. */
  isDeployed?: boolean;
}

/** Bundles the functions and the console and creates the CDK app, for `cdk deploy`, for the local stack and for tests. */
export async function serviceApp(props: ServiceAppProps = {}): Promise<App> {
  // The CLI passes this context itself. It is repeated here so the app makes the same template without the CLI.
  const app = new App({ ...props, context: { ...cdk.context, ...props.context } });
  const option = (name: string): string | undefined => app.node.tryGetContext(name);
  const stageName = String(option('stage') ?? 'dev');
  if (props.isDeployed && stageName === localStage) {
    throw new StageError(`The stage "${localStage}" is that of npm start, without limits of keys: deploy another one.`);
  }
  const stage = await loadStage(stageName);
  // The command sets it to the region that it deploys to.
  const misplaced = regionFault(stage, process.env.CDK_DEFAULT_REGION);
  if (props.isDeployed && misplaced) throw new StageError(`lib/stages/${stageName}.ts: ${misplaced}.`);
  const bundles = props.bundles ?? option('bundles') ?? '.build/functions';
  // A deployment pipeline of several steps may have bundled already.
  if (String(option('bundled')) !== 'true') {
    await bundleFunctions(bundles);
    await bundleConsole(bundles);
  }
  const stack = addStacks(app, stageName, stage, bundles);
  if (props.isDeployed) warnOfMissing(stack, stage, `lib/stages/${stageName}.ts`);
  return app;
}

function warnOfMissing(stack: ServiceStack, { alarmEmail, distributionMarks, isProtected }: Stage, file: string): void {
  const warn = (setting: keyof Stage, fault: string) =>
    Annotations.of(stack).addWarningV2(`post-purchase:${setting}`, `${fault}: set ${setting} in ${file}.`);
  if (alarmEmail === undefined) warn('alarmEmail', 'Nobody is told when an alarm fires');
  if (isProtected && distributionMarks === undefined)
    warn('distributionMarks', 'The mark of the origin is a part of the stack’s id, which stands in logs');
}

/** The service, and what asks from outside whether it answers, if the stage has a host to ask. */
export function addStacks(app: App, stageName: string, stage: Stage, bundles: string): ServiceStack {
  const { stackName, probeName } = stackNamesOf(stageName, stage);
  const tags = { service: 'post-purchase', stage: stageName };
  const stack = new ServiceStack(app, stackName, {
    description: `Post-purchase delivery tracking, stage ${stageName}: API, table, images and webhook deliveries.`,
    tags,
    bundles,
    stage,
  });
  const host = probedHostOf(stage);
  if (host && probeName) {
    new ProbeStack(app, probeName, {
      description: `Post-purchase delivery tracking, stage ${stageName}: asks from outside whether it answers.`,
      tags,
      host,
      certificateArn: stage.domain?.certificateArn,
      email: stage.alarmEmail,
    });
  }
  return stack;
}

/** CloudFormation begins the names of all resources with it. */
export const stackNameOf = (stageName: string): string => `PostPurchase-${stageName}`;

export interface StackNames {
  readonly stackName: string;
  /** Of the stack that asks from outside. Undefined if there is no host to ask. */
  readonly probeName: string | undefined;
}

export const stackNamesOf = (stageName: string, stage: Stage): StackNames => ({
  stackName: stackNameOf(stageName),
  probeName: probedHostOf(stage) && `${stackNameOf(stageName)}-probe`,
});

/** Writes the template and its assets to a folder, as `cdk synth` does, for this machine. */
export async function synthesize(folder: string): Promise<string> {
  const app = await serviceApp({
    outdir: join(folder, 'assembly'),
    bundles: join(folder, 'functions'),
    context: { stage: localStage },
  });
  return app.synth().directory;
}
