import { describe, expect, it } from 'vitest';
import { familyNames } from '#schemas/index.ts';
import { listPartitions, partitions } from '#schemas/table.ts';
import { allowedByRoleOf, allowedByRoles } from './statements.ts';
import { functionIds, resourcesOf, synthesize } from './synthesis.ts';

const template = synthesize();
const withEgress = synthesize({ staticEgress: true });

/** AWS accepts no resource for these. */
const withoutResource = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];

const rights = [...allowedByRoles(template), ...allowedByRoles(withEgress)];

describe('what roles may do', () => {
  it('names every action in full', () => {
    expect(rights.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
  });

  it('names the resource of every action that has one', () => {
    const everywhere = rights.filter(({ resources }) => resources.includes('*')).flatMap(({ actions }) => actions);
    expect(everywhere.filter((action) => !withoutResource.includes(action))).toEqual([]);
  });

  it('holds every access to items to partition keys that the table knows', () => {
    const known = [...Object.values(partitions).map((prefix) => `${prefix}*`), ...Object.values(listPartitions)];
    const itemRights = rights.filter(({ actions }) => actions.some((action) => action.startsWith('dynamodb:')));
    expect(itemRights).not.toEqual([]);
    for (const { conditions } of itemRights) {
      const operator = conditions['ForAllValues:StringLike'] ?? conditions['ForAllValues:StringEquals'];
      expect(known).toEqual(expect.arrayContaining([operator['dynamodb:LeadingKeys']].flat()));
      expect(conditions.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
  });

  it('lets no function scan the table', () => {
    expect(rights.flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
  });

  it('lets no API function read back a credential that it encrypted', () => {
    const kms = rights.flatMap(({ actions }) => actions).filter((action) => action.startsWith('kms:'));
    expect(new Set(kms)).toEqual(new Set(['kms:Encrypt']));
  });

  it('attaches no managed policy to a function', () => {
    const roles = resourcesOf(template, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Role['Fn::GetAtt'][0],
    );
    expect(roles.filter((id) => template.Resources[id]!.Properties.ManagedPolicyArns)).toEqual([]);
  });
});

describe('the functions of the API', () => {
  const ids = functionIds(template);

  it('are one for each family', () => {
    expect(Object.keys(ids).sort()).toEqual([...familyNames].sort());
  });

  it('each have a role of their own', () => {
    const roles = Object.values(ids).map((id) => template.Resources[id]!.Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(familyNames.length);
  });

  it('may not touch the table when they serve only documents', () => {
    const actions = allowedByRoleOf(template, ids.meta!).flatMap((statement) => statement.actions);
    expect(actions.filter((action) => !/^(logs|xray):/.test(action))).toEqual([]);
    expect(template.Resources[ids.meta!]!.Properties.Environment.Variables).not.toHaveProperty('TABLE_NAME');
  });

  it('read the list of shops, but not that of the SuperAdmins', () => {
    const onIndex = allowedByRoleOf(template, ids.shops!).filter(({ resources }) =>
      JSON.stringify(resources).includes('/index/'),
    );
    expect(onIndex.flatMap(({ actions }) => actions)).toEqual(['dynamodb:Query']);
    expect(onIndex[0]!.conditions['ForAllValues:StringEquals']).toEqual({
      'dynamodb:LeadingKeys': [listPartitions.shops],
    });
  });

  it('can be invoked by this API only', () => {
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    const [apiId] = resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]!;
    expect(permissions.map(({ FunctionName }) => FunctionName['Fn::GetAtt'][0]).sort()).toEqual(
      Object.values(ids).sort(),
    );
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('apigateway.amazonaws.com');
      expect(SourceArn['Fn::Join'][1]).toContainEqual({ Ref: apiId });
    }
  });
});
