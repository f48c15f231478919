import type { Stage } from '#lib/stage.ts';
import { allowedByRoleOf } from '#test/infra/statements.ts';
import { functionIds, pipelineIds, type Template } from '#test/infra/synthesis.ts';

/**
 * The stages whose grants and variables are kept: one with every setting that gives a grant or a variable, and one without, because
 * what becomes part of a setting is taken from all others.
 */
export const grantedStages = {
  plain: {},
  full: {
    domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/of-the-domain' },
    email: { from: 'post@mail.example.com' },
    staticEgress: true,
    spreadsShipments: true,
    integrationTargets: { integration_1: { url: 'https://a.klaviyo.com', dialect: 'klaviyo' } },
  },
} satisfies Record<string, Stage>;

/** What each function may do, as texts that can be compared: the action, and the keys or the resource. */
export function grantsOf(template: Template): Record<string, string[]> {
  const ids = Object.entries({ ...functionIds(template), ...pipelineIds(template) });
  return Object.fromEntries(ids.toSorted().map(([name, id]) => [name, grantsOfFunction(template, id)]));
}

function grantsOfFunction(template: Template, id: string): string[] {
  const found = allowedByRoleOf(template, id).flatMap(({ actions, resources, conditions }) => {
    const keys = [conditions['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();
    const index = JSON.stringify(resources).match(/\/index\/(\w+)/)?.[1];
    const places = keys.length > 0 ? keys.map((key) => (index ? `${index} ${key}` : key)) : resources.map(placeOf);
    return actions.flatMap((action) =>
      places.flatMap((place) => [`${action} ${place}`, ...contextsOf(conditions).map((one) => `${action} for ${one}`)]),
    );
  });
  return [...new Set(found)].toSorted();
}

/** What was encrypted for which place, and with which value. */
function contextsOf({ Null = {}, StringEquals = {} }: Record<string, Record<string, unknown>>): string[] {
  const named = (key: string) => key.match(/^kms:EncryptionContext:(.*)$/)?.[1];
  return [
    ...Object.keys(Null).flatMap((key) => named(key) ?? []),
    ...Object.entries(StringEquals).flatMap(([key, value]) =>
      named(key) ? [value].flat().map((one) => `${named(key)}=${one}`) : [],
    ),
  ];
}

/** Without the hashes at the end of logical ids. */
const placeOf = (resource: unknown): string =>
  typeof resource === 'string'
    ? resource
    : JSON.stringify(resource)
        .replaceAll(/([A-Za-z]+)[0-9A-F]{8}/g, '$1')
        .replaceAll(/[[\]{}"]/g, '');
