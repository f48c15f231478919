import { describe, expect, test } from 'vitest';
import { familiesWithUrl } from '#lib/anonymous-paths.ts';
import { assetPrefix } from '#lib/asset-prefix.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { type PipelineName, pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { indexPartitions, type PartitionName, partitions } from '#schemas/catalogues/table.ts';
import { type FamilyName, familyNames } from '#schemas/families/index.ts';
import { allowedByRoleOf, allowedByRoles } from './statements.ts';
import { functionIds, pipelineIds, resourcesOf, synthesize } from './synthesis.ts';

const template = synthesize({ email: { from: 'post@mail.example.com' } });
const withEgress = synthesize({ staticEgress: true });

/** AWS accepts no resource for these, by which Lambda places a function in a network. */
const inNetwork =
  /^ec2:(AssignPrivateIpAddresses|(Create|Delete)NetworkInterface|Describe(NetworkInterfaces|Subnets)|UnassignPrivateIpAddresses)$/;

/** Requests to the table's stream, which name no key. */
const ofStream = /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/;

const rights = [...allowedByRoles(template), ...allowedByRoles(withEgress)];

const ofPlace = (place: string) => ({ Null: { [`kms:EncryptionContext:${place}`]: 'false' } });
const ofNotified = { StringEquals: { 'kms:EncryptionContext:integration': [...notifiedIntegrations] } };

describe('the policy of a role', () => {
  test('names every action in full', () => {
    expect(rights.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
  });

  test('names the resource of every action that has one', () => {
    const everywhere = rights.filter(({ resources }) => resources.includes('*')).flatMap(({ actions }) => actions);
    const rest = everywhere.filter((action) => !inNetwork.test(action));
    expect(rest).toEqual([]);
  });

  test('allows network interfaces only to a function in a network', () => {
    const actions = allowedByRoles(template).flatMap((statement) => statement.actions);
    expect(actions.filter((action) => action.startsWith('ec2:'))).toEqual([]);
  });

  test('limits every access to items to partition keys that the table knows', () => {
    const inIndexes = Object.values(indexPartitions).map(({ prefix }) =>
      prefix.endsWith('#') ? `${prefix}*` : prefix,
    );
    const known = [...Object.values(partitions).map((prefix) => `${prefix}*`), ...inIndexes];
    const itemRights = rights.filter(({ actions }) =>
      actions.some((action) => action.startsWith('dynamodb:') && !ofStream.test(action)),
    );
    expect(itemRights).not.toEqual([]);
    for (const { conditions } of itemRights) {
      expect(known).toEqual(
        expect.arrayContaining([conditions['ForAllValues:StringLike']['dynamodb:LeadingKeys']].flat()),
      );
      expect(conditions.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
  });

  test('allows no function to scan the table', () => {
    expect(rights.flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
  });

  test('allows reading a credential only to functions that use it or show it to its merchant', () => {
    const ids = Object.entries({ ...functionIds(template), ...pipelineIds(template) });
    const readers = ids.filter(([, id]) =>
      allowedByRoleOf(template, id).some(({ actions }) => actions.includes('kms:Decrypt')),
    );
    expect(readers.map(([name]) => name).sort()).toEqual([
      ...[
        'automations',
        'delivery',
        'email-events',
        'emails',
        'pages',
        'privacy-work',
        'segments',
        'shop-system',
        'tracking-providers',
        'tracking-registration',
        'webhooks',
      ],
    ]);
    const kms = rights.flatMap(({ actions }) => actions).filter((action) => action.startsWith('kms:'));
    expect(new Set(kms)).toEqual(new Set(['kms:Encrypt', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:Decrypt']));
  });

  test('allows no function to decrypt what was encrypted for any place', () => {
    const onKeys = rights.filter(({ actions }) => actions.includes('kms:Decrypt'));
    expect(onKeys).not.toEqual([]);
    for (const { conditions } of onKeys) {
      expect(JSON.stringify(conditions)).toMatch(/^\{"(Null|StringEquals)":\{"kms:EncryptionContext:\w+":/);
    }
  });

  test.each<[PipelineName, object[]]>([
    ['segments', [ofNotified]],
    ['delivery', [ofPlace('automation'), ofNotified, ofPlace('email'), ofPlace('webhook')]],
  ])('allows %s to decrypt only what it sends', (name, contexts) => {
    const readable = allowedByRoleOf(template, pipelineIds(template)[name]!)
      .filter(({ actions }) => actions.includes('kms:Decrypt'))
      .map(({ conditions }) => conditions);
    expect(new Set(readable)).toEqual(new Set(contexts));
  });

  test('allows the function that erases to read the key of the ledger, and no credential', () => {
    const onKeys = allowedByRoleOf(template, pipelineIds(template)['privacy-work']!).filter(({ actions }) =>
      actions.some((action) => action.startsWith('kms:')),
    );
    const ofLedger = { Null: { 'kms:EncryptionContext:ledger': 'false' } };
    expect(onKeys.map(({ conditions }) => conditions)).toEqual([ofLedger]);
  });

  test('allows each function of the API to decrypt only what it shows or uses', () => {
    const readable = (family: FamilyName) =>
      allowedByRoleOf(template, functionIds(template)[family]!)
        .filter(({ actions }) => actions.includes('kms:Decrypt'))
        .map(({ conditions }) => conditions);
    expect(readable('webhooks')).toEqual([{ Null: { 'kms:EncryptionContext:webhook': 'false' } }]);
    expect(readable('shop-system')).toEqual([
      { StringEquals: { 'kms:EncryptionContext:integration': 'integration_7' } },
      { StringEquals: { 'kms:EncryptionContext:integration': 'shop_system_2' } },
      { StringEquals: { 'kms:EncryptionContext:integration': 'shop_system_3' } },
      { StringEquals: { 'kms:EncryptionContext:shop_system': 'webhook_secret' } },
      { StringEquals: { 'kms:EncryptionContext:shop_system': 'app_secret' } },
    ]);
    expect(readable('tracking-providers')).toEqual([
      { StringEquals: { 'kms:EncryptionContext:tracking_provider': 'webhook_secret' } },
    ]);
  });

  test('allows making data keys only to functions that may read what these encrypt', () => {
    const statements = (family: FamilyName, action: string) =>
      allowedByRoleOf(template, functionIds(template)[family]!).filter(({ actions }) => actions.includes(action));
    const makers = familyNames.filter((family) => statements(family, 'kms:GenerateDataKeyWithoutPlaintext').length > 0);
    expect(makers.toSorted()).toEqual(['automations', 'emails', 'webhooks']);
    for (const family of makers) {
      const [made, read] = ['kms:GenerateDataKeyWithoutPlaintext', 'kms:Decrypt'].map((action) =>
        statements(family, action),
      );
      expect(made!.map(({ conditions }) => conditions)).toEqual(read!.map(({ conditions }) => conditions));
      expect(statements(family, 'kms:Encrypt')).toEqual([]);
    }
  });

  test('names the objects of a bucket by their prefix', () => {
    const onObjects = rights.filter(({ actions }) => actions.some((action) => /^s3:.*Object/.test(action)));
    expect(onObjects).not.toEqual([]);
    const prefixes = onObjects.flatMap(({ resources }) => JSON.stringify(resources).match(/"\/[^"]*\*?"/g));
    expect(new Set(prefixes)).toEqual(
      new Set([
        ...['payloads', 'disclosures', 'erasures', 'public/images', 'private/images', 'aws/lambda', 'console'].map(
          (prefix) => `"/${prefix}/*"`,
        ),
        // The files of the console, packed, which the deployment reads.
        `"/${assetPrefix}*"`,
      ]),
    );
  });

  test('allows the function that takes images to write them, and not to read any', () => {
    const { images } = functionIds(template);
    const actions = allowedByRoleOf(template, images!).flatMap((statement) => statement.actions);
    expect(actions.filter((action) => action.startsWith('s3:'))).toEqual(['s3:PutObject']);
  });

  test('is never a managed policy for a function', () => {
    const roles = resourcesOf(template, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Role['Fn::GetAtt'][0],
    );
    expect(roles.filter((id) => template.Resources[id]!.Properties.ManagedPolicyArns)).toEqual([]);
    // The CDK makes one of the statements for which a role's own policies have no room.
    expect(resourcesOf(template, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });
});

describe('the functions of the API', () => {
  const ids = functionIds(template);

  test('are one for each family', () => {
    expect(Object.keys(ids).sort()).toEqual([...familyNames].sort());
  });

  test('each have a role of their own', () => {
    const roles = Object.values(ids).map((id) => template.Resources[id]!.Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(familyNames.length);
  });

  test('have no access to the table when they serve only documents', () => {
    const actions = allowedByRoleOf(template, ids.meta!).flatMap((statement) => statement.actions);
    expect(actions.filter((action) => !action.startsWith('logs:'))).toEqual([]);
    expect(template.Resources[ids.meta!]!.Properties.Environment.Variables).not.toHaveProperty('TABLE_NAME');
  });

  test('read the list of shops, but not the list of SuperAdmins', () => {
    const onIndex = allowedByRoleOf(template, ids.shops!).filter(({ resources }) =>
      JSON.stringify(resources).includes('/index/'),
    );
    expect(onIndex.flatMap(({ actions }) => actions)).toEqual(['dynamodb:Query']);
    expect(onIndex[0]!.conditions['ForAllValues:StringLike']).toEqual({
      'dynamodb:LeadingKeys': ['SHOPS'],
    });
  });

  test('write nothing that lies with a shop, nor an order, where anybody may call them', () => {
    expect(writtenBy(ids.pages!)).toEqual(
      prefixesOf([
        ...(['claims', 'claimReference', 'withdrawals', 'outbox', 'trackingPages', 'storefronts'] as const),
        ...(['promotionCounts', 'statistics', 'lookups', 'suppressions'] as const),
        ...(['keyUses', 'keyRates', 'wrongKeys'] as const),
      ]),
    );
    expect(writtenBy(ids['tracking-providers']!)).toEqual(
      prefixesOf(['trackingProviders', 'unmappedCodes', 'keyUses', 'keyRates', 'wrongKeys']),
    );
  });

  test('know how far the stream is read where they say so, and write nothing there', () => {
    const onHeartbeats = familyNames.flatMap((family) =>
      allowedByRoleOf(template, ids[family]!)
        .filter(({ conditions }) => JSON.stringify(conditions ?? {}).includes(`"${partitions.heartbeats}*"`))
        .map(({ actions }) => [family, actions]),
    );
    expect(onHeartbeats).toEqual([
      ['feed', ['dynamodb:BatchGetItem']],
      ['operations', ['dynamodb:BatchGetItem']],
    ]);
  });

  test('can be invoked by this API only, and by everybody where anonymous callers have a URL', () => {
    const all = permissionsOn(Object.values(ids));
    const ofEverybody = all.filter(({ Principal }) => Principal === '*');
    const permissions = all.filter(({ Principal }) => Principal !== '*');
    expect(new Set(ofEverybody.map(invoked))).toEqual(new Set(familiesWithUrl.map((family) => ids[family])));
    const [apiId] = resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]!;
    expect(permissions.map(invoked).sort()).toEqual(Object.values(ids).sort());
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('apigateway.amazonaws.com');
      expect(SourceArn['Fn::Join'][1]).toContainEqual({ Ref: apiId });
    }
  });
});

describe('the functions behind the API', () => {
  const ids = pipelineIds(template);

  test('are those of the pipeline, each with a role of its own', () => {
    expect(Object.keys(ids).sort()).toEqual([...pipelineNames].sort());
    const roles = Object.values(ids).map((id) => template.Resources[id]!.Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(pipelineNames.length);
  });

  test.each<[PipelineName, PartitionName[], PartitionName[]?]>([
    ['ingest', ['order', 'outbox']],
    ['tracking-registration', ['order', 'parcelRegistrations']],
    // A delayed run of a simulated order waits in its simulation.
    ['fan-out', ['payloads', 'automationRuns', 'due', 'simulations', 'heartbeats', 'feed']],
    // An e-mail is recorded before it is sent, and may make the view of the storefront.
    ['delivery', ['deliveries', 'retries', 'mails', 'storefronts', 'dataKeys'], ['simulations']],
    ['dead-letters', ['deliveries'], ['simulations']],
    ['drain', ['deliveries', 'retries']],
    ['due', ['due', 'outbox', 'heartbeats'], ['order']],
    ['email-events', ['deliveries', 'suppressions']],
    ['counts', ['statistics', 'arrivals', 'countedRecords', 'positions', 'heartbeats', 'feed']],
    [
      'automation-runs',
      ['automationRuns', 'deliveries', 'payloads', 'outbox', 'order', 'claims', 'trackingPages'],
      ['simulations'],
    ],
  ])(
    'write only to their own partitions as %s, and may to those that their transactions check',
    (name, own, checked = []) => {
      expect(writtenBy(ids[name]!)).toEqual(prefixesOf([...own, ...checked]));
    },
  );

  test('can be invoked from outside by their schedule only', () => {
    const permissions = permissionsOn(Object.values(ids));
    expect(permissions.map(invoked).sort()).toEqual([ids.drain, ids.due, ids['privacy-work']].sort());
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('events.amazonaws.com');
      expect(template.Resources[SourceArn['Fn::GetAtt'][0]]!.Type).toBe('AWS::Events::Rule');
    }
  });

  test.each([
    ['ingest', 'CarrierUpdatesQueue', 'CarrierUpdatesFailures'],
    ['automation-runs', 'AutomationRunsQueue', 'AutomationRunsGivenUp'],
    ['tracking-registration', 'TrackingSubmissionRegistrations', 'TrackingSubmissionGivenUp'],
    ['segments', 'SegmentsQueue', 'SegmentsDeadLetters'],
    ['email-events', 'EmailsEvents', 'EmailsFailures'],
    ['fan-out', 'EventsParts', 'EventsDeadParts'],
    ['fan-out', 'EventsFailuresReplays', 'EventsFailuresQueue'],
  ] as const)('as %s may let messages of %s wait, and put them aside into %s', (name, queue, failures) => {
    const arnOf = (path: string) => {
      const [id] = resourcesOf(template, 'AWS::SQS::Queue').find(([one]) => one.slice(0, -8) === path)!;
      return { 'Fn::GetAtt': [id, 'Arn'] };
    };
    const resourcesFor = (action: string) =>
      allowedByRoleOf(template, ids[name]!)
        .filter(({ actions }) => actions.includes(action))
        .flatMap(({ resources }) => resources);
    expect(resourcesFor('sqs:ChangeMessageVisibility')).toContainEqual(arnOf(queue));
    expect(resourcesFor('sqs:SendMessage')).toContainEqual(arnOf(failures));
  });

  test('can change the visibility of messages only if they read a queue and set the pauses of what fails', () => {
    const able = Object.entries(ids).filter(([, id]) =>
      allowedByRoleOf(template, id).some(({ actions }) => actions.includes('sqs:ChangeMessageVisibility')),
    );
    const readers = [
      ...['automation-runs', 'counts', 'delivery', 'email-events', 'fan-out', 'ingest', 'segments'],
      'tracking-registration',
    ];
    expect(able.map(([name]) => name).toSorted()).toEqual(readers);
  });

  test('read the stream of this table only', () => {
    const [tableId] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0]!;
    const rights = Object.values(ids).flatMap((id) => allowedByRoleOf(template, id));
    const streams = rights.filter(({ actions }) => actions.some((action) => ofStream.test(action)));
    const stream = { 'Fn::GetAtt': [tableId, 'StreamArn'] };
    expect(streams.flatMap(({ resources }) => resources)).toEqual([stream, stream]);
  });
});

/** The prefixes under which a function may write. */
function writtenBy(id: string): string[] {
  const written = allowedByRoleOf(template, id)
    .filter(({ actions }) => actions.some((action) => /dynamodb:(Put|Update|Delete|BatchWrite)/.test(action)))
    .map(({ conditions }) => conditions['ForAllValues:StringLike']['dynamodb:LeadingKeys']);
  return [...new Set<string>(written.flat())].sort();
}

const prefixesOf = (names: readonly PartitionName[]): string[] => names.map((name) => `${partitions[name]}*`).sort();

function permissionsOn(ids: readonly string[]) {
  const permissions = resourcesOf(template, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
  return permissions.filter((permission) => ids.includes(invoked(permission)));
}

function invoked({ FunctionName }: { FunctionName: { 'Fn::GetAtt': [string, string] } }): string {
  return FunctionName['Fn::GetAtt'][0];
}
