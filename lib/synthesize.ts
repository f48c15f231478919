import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { integrationTargetsFault } from '#schemas/catalogues/integration-targets.ts';
import cdk from '../cdk.json' with { type: 'json' };
import { bundleFunctions } from './bundling/bundle.ts';
import { ServiceStack } from './service-stack.ts';

/** Bundles the functions and creates the CDK app, for `cdk deploy`, for the local stack and for tests. */
export async function serviceApp(props: AppProps & { bundles?: string } = {}): Promise<App> {
  // The CLI passes this context itself. It is repeated here so the app makes the same template without the CLI.
  const app = new App({ ...props, context: { ...cdk.context, ...props.context } });
  const option = (name: string): string | undefined => app.node.tryGetContext(name);
  const bundles = props.bundles ?? option('bundles') ?? '.build/functions';
  // A deployment pipeline of several steps may have bundled already.
  if (String(option('bundled')) !== 'true') await bundleFunctions(bundles);
  new ServiceStack(app, 'PostPurchase', {
    description: 'Post-purchase delivery tracking: API, table, images and webhook deliveries.',
    bundles,
    staticEgress: String(option('staticEgress')) === 'true',
    integrationTargets: checkedTargets(option('integrationTargets')),
    alarmEmail: option('alarmEmail'),
    domainName: option('domainName'),
    certificateArn: option('certificateArn'),
  });
  return app;
}

/** A wrong configuration must fail here, and not in the functions that read it after the deployment. */
function checkedTargets(text: string | undefined): string | undefined {
  const fault = text ? integrationTargetsFault(text) : undefined;
  if (fault !== undefined) throw new Error(`integrationTargets: ${fault}`);
  return text;
}

/** Writes the template and its assets to a folder, as `cdk synth` does. */
export async function synthesize(folder: string): Promise<string> {
  const app = await serviceApp({ outdir: join(folder, 'assembly'), bundles: join(folder, 'functions') });
  return app.synth().directory;
}
