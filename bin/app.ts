/**
 * The CDK app. Options: `-c stage=prod` for the file `lib/stages/prod.ts` (the default is dev), `-c bundles=…` for the
 * folder of the functions' code, which is emptied first, and `-c bundled=true` if the code is there already.
 */
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { StageError } from '#lib/stage.ts';
import { serviceApp } from '#lib/synthesize.ts';

try {
  const app = await serviceApp({ isDeployed: true });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exit(1);
}
