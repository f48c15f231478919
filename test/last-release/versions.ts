import { readdirSync } from 'node:fs';
import { vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: functions of two versions, whose types may differ.
type LambdaFunction = (event: any, context: any) => Promise<any>;

/** The functions of a version of the service, by their names. */
export interface Version {
  name: string;
  functions: Record<string, LambdaFunction>;
}

// It is read when the functions are loaded.
process.env.ALLOW_LOCAL_TARGETS = 'true';

const pipeline = new Set(readdirSync('functions/pipeline'));

export const lastRelease: Version = {
  name: 'the last release',
  functions: await import('./functions.mjs' as string),
};

/** The same functions of this version, so that what was removed since is noticed. */
export const thisVersion: Version = {
  name: 'this version',
  functions: Object.fromEntries(
    await Promise.all(
      Object.keys(lastRelease.functions).map(async (name) => {
        const layer = pipeline.has(name) ? 'pipeline' : 'api';
        return [name, (await import(`../../functions/${layer}/${name}/handler.ts`)).handler];
      }),
    ),
  ),
};

/** The same version in a stage that spreads its shipments. The other version keeps the setting that it was deployed with. */
export const spreading = ({ name, functions }: Version): Version => ({
  name: `${name} with spread shipments`,
  functions: Object.fromEntries(
    Object.entries(functions).map(([of, run]) => [
      of,
      async (event, context) => {
        vi.stubEnv('SPREAD_SHIPMENTS', 'true');
        try {
          return await run(event, context);
        } finally {
          vi.stubEnv('SPREAD_SHIPMENTS', undefined);
        }
      },
    ]),
  ),
});
