import { join } from 'node:path';
import { Annotations, App, type AppProps } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { bundleFunctions } from './bundling/bundle.ts';
import { bundleConsole } from './bundling/console.ts';
import { ProbeStack } from './probe-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { loadStage, probedHostOf, regionFault, StageError } from './stage.ts';

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
  const stack = new ServiceStack(app, stackNameOf(stageName), {
    description: `Post-purchase delivery tracking, stage ${stageName}: API, table, images and webhook deliveries.`,
    tags: { service: 'post-purchase', stage: stageName },
    bundles,
    stage,
  });
  const host = probedHostOf(stage);
  if (host) {
    new ProbeStack(app, probeNameOf(stageName), {
      description: `Post-purchase delivery tracking, stage ${stageName}: asks from outside whether it answers.`,
      tags: { service: 'post-purchase', stage: stageName },
      host,
      email: stage.alarmEmail,
    });
  }
  if (props.isDeployed && stage.alarmEmail === undefined) {
    const warning = `Nobody is told when an alarm fires: set alarmEmail in lib/stages/${stageName}.ts.`;
    Annotations.of(stack).addWarningV2('post-purchase:alarmEmail', warning);
  }
  return app;
}

/** CloudFormation begins the names of all resources with it. */
export const stackNameOf = (stageName: string): string => `PostPurchase-${stageName}`;

/** Of the stack that asks from outside. */
export const probeNameOf = (stageName: string): string => `${stackNameOf(stageName)}-probe`;

/** Writes the template and its assets to a folder, as `cdk synth` does, for this machine. */
export async function synthesize(folder: string): Promise<string> {
  const app = await serviceApp({
    outdir: join(folder, 'assembly'),
    bundles: join(folder, 'functions'),
    context: { stage: localStage },
  });
  return app.synth().directory;
}
