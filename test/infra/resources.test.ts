import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { settledAfterMs } from '#domain/feed/ledger.ts';
import { ServiceTable } from '#lib/constructs/service-table.ts';
import { matches, type Pattern } from '#lib/local/functions/event-sources/filter.ts';
import { keyOf } from '#platform/table/keys.ts';
import { privacyLimits, retriedQueueLimits } from '#schemas/catalogues/limits.ts';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import { allowedByRoleOf } from './statements.ts';
import {
  functionIds,
  newStack,
  onlyResource,
  pipelineIds,
  type Resource,
  resourcesOf,
  synthesize,
  synthesizeProbe,
  type Template,
} from './synthesis.ts';

const email = { from: 'post@mail.example.com' };
const template = synthesize({ alarmEmail: 'on-call@example.com', email });
const withEgress = synthesize({ staticEgress: true });

const day = 24 * 60 * 60;

describe('the data', () => {
  test('stays when the stack is deleted or a resource is replaced, and goes with a first deployment that fails, but for what could not', () => {
    const stateful = resourcesOf(template, 'AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::KMS::Key');
    expect(new Set(stateful.map(([, { Type }]) => Type)).size).toBe(3);
    // The table is protected against deletion, and the console has files soon: a creation that fails could not take them back.
    const staysAlways = /^(Table|Console)/;
    for (const [id, resource] of stateful) {
      const DeletionPolicy = staysAlways.test(id) ? 'Retain' : 'RetainExceptOnCreate';
      expect(resource, id).toMatchObject({ DeletionPolicy, UpdateReplacePolicy: 'Retain' });
    }
  });

  test('of a restored table fits beside that of the first, which has no name that it could take', () => {
    const { app, stack } = newStack();
    new ServiceTable(stack, 'Restored');
    const both = app.synth().getStackByName(stack.stackName).template;
    const tables = resourcesOf(both, 'AWS::DynamoDB::GlobalTable');
    expect(tables.map(([, { DeletionPolicy, Properties }]) => [DeletionPolicy, Properties.TableName])).toEqual([
      ['Retain', undefined],
      ['Retain', undefined],
    ]);
    const [{ Replicas: first, ...ofFirst }, { Replicas: second, ...ofSecond }] = tables.map(
      ([, one]) => one.Properties,
    );
    expect([ofSecond, second]).toEqual([ofFirst, first]);
  });

  test('in the table can be restored to any second, and the table cannot be deleted by mistake', () => {
    const { Replicas } = onlyResource(template, 'AWS::DynamoDB::GlobalTable').Properties;
    for (const replica of Replicas) {
      expect(replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
      expect(replica.DeletionProtectionEnabled).toBe(true);
    }
  });

  test('is found by the keys and the indexes of the contract', () => {
    const table = onlyResource(template, 'AWS::DynamoDB::GlobalTable').Properties;
    expect(keysOf(table)).toEqual(['pk', 'sk']);
    const summary = ['tracking_number', 'created_at', 'updated_at', 'claim'];
    const indexes = table.GlobalSecondaryIndexes.map((index: Resource['Properties']) => [
      index.IndexName,
      ...keysOf(index),
      index.Projection.NonKeyAttributes ?? index.Projection.ProjectionType,
    ]);
    expect(indexes).toEqual([
      ['lists', 'list_pk', 'list_sk', 'ALL'],
      ['timeline', 'timeline_pk', 'timeline_sk', summary],
      ['activity', 'activity_pk', 'activity_sk', [...summary, 'drafts', 'timeline_sk']],
      ['order_emails', 'email_pk', 'timeline_sk', ['zip_pk', 'name_pk']],
      ['order_zip_codes', 'zip_pk', 'timeline_sk', ['email_pk', 'name_pk']],
      ['names', 'name_pk', 'name_sk', ['email_pk', 'zip_pk']],
      ['attention', 'attention_pk', 'attention_sk', ['tracking_number']],
    ]);
    expect(table.TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at', Enabled: true });
  });

  test('that is encrypted can be read in a second region, for which a key must be made from the start', () => {
    expect(onlyResource(template, 'AWS::KMS::Key').Properties.MultiRegion).toBe(true);
  });

  test('is streamed at each change, with the values before', () => {
    const { StreamSpecification } = onlyResource(template, 'AWS::DynamoDB::GlobalTable').Properties;
    expect(StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });

  test('in the buckets is never public', () => {
    const buckets = resourcesOf(template, 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(4);
    for (const [, { Properties }] of buckets) {
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    }
  });

  test('is read from buckets, queues and topics over TLS only', () => {
    const guarded = resourcesOf(template, 'AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy');
    const holders = resourcesOf(template, 'AWS::S3::Bucket', 'AWS::SQS::Queue', 'AWS::SNS::Topic');
    expect(guarded).toHaveLength(holders.length);
    for (const [, { Properties }] of guarded) {
      expect(Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });

  test('that is secret to a merchant is encrypted with a key that rotates', () => {
    expect(onlyResource(template, 'AWS::KMS::Key').Properties.EnableKeyRotation).toBe(true);
  });
});

describe('public images', () => {
  const isOfImages = ([id]: [string, unknown]) => id.startsWith('ImageDistribution');
  const [id, { Properties }] = resourcesOf(template, 'AWS::CloudFront::Distribution').find(isOfImages)!;
  const { CacheBehaviors, DefaultCacheBehavior, Origins } = Properties.DistributionConfig;

  test('are cached, served over TLS, and read with a signature from the public part of their bucket', () => {
    const managedCachingOptimized = '658327ea-f89d-4fab-a63d-7e88639e58f6';
    expect(CacheBehaviors.map((behavior: { PathPattern: string }) => behavior.PathPattern)).toEqual(['images/*']);
    for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behavior).toMatchObject({
        ViewerProtocolPolicy: 'redirect-to-https',
        CachePolicyId: managedCachingOptimized,
        TargetOriginId: Origins[0].Id,
      });
    }
    expect(Origins).toEqual([
      expect.objectContaining({ OriginPath: '/public', OriginAccessControlId: expect.anything() }),
    ]);
  });

  test('are the only objects that the distribution may read, and no other distribution may', () => {
    const statements = resourcesOf(template, 'AWS::S3::BucketPolicy')
      .filter(([policyId]) => policyId.startsWith('Images'))
      .flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement)
      .filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatchObject({
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Resource: { 'Fn::Join': ['', [expect.anything(), '/public/images/*']] },
    });
    expect(JSON.stringify(statements[0].Condition.StringEquals['AWS:SourceArn'])).toContain(id);
  });

  test('cannot run anything in a browser', () => {
    const [, policy] = resourcesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy').find(isOfImages)!;
    const { SecurityHeadersConfig } = policy.Properties.ResponseHeadersPolicyConfig;
    expect(SecurityHeadersConfig).toMatchObject({
      ContentTypeOptions: { Override: true },
      ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'none'; sandbox" },
    });
  });
});

describe('deliveries', () => {
  const [, queue] = queueNamed('DeliveriesQueue');
  const [deadLettersId, deadLetters] = queueNamed('DeliveriesDeadLetters');

  test('become dead letters when the function was down for four days, and are kept for ten more', () => {
    const { RedrivePolicy, VisibilityTimeout, MessageRetentionPeriod } = queue.Properties;
    expect(RedrivePolicy.deadLetterTargetArn).toEqual({ 'Fn::GetAtt': [deadLettersId, 'Arn'] });
    expect(Math.floor((RedrivePolicy.maxReceiveCount * VisibilityTimeout) / day)).toBe(4);
    expect([MessageRetentionPeriod, deadLetters.Properties.MessageRetentionPeriod]).toEqual(
      Array(2).fill(14 * 24 * 3600),
    );
  });

  test('stay hidden for six times the timeout of a batch, and while it gathers', () => {
    const { FunctionName, MaximumBatchingWindowInSeconds } = mappingOf('DeliverySend');
    const { Timeout } = template.Resources[FunctionName.Ref]!.Properties;
    expect(queue.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout + MaximumBatchingWindowInSeconds);
  });

  test('are kept longer than their last attempt needs, and dead letters are kept for two weeks', () => {
    expect(queue.Properties.MessageRetentionPeriod).toBeGreaterThan(3 * day);
    expect(deadLetters.Properties.MessageRetentionPeriod).toBe(14 * day);
  });

  test('wait two seconds for others at most', () => {
    expect(mappingOf('DeliverySend').MaximumBatchingWindowInSeconds).toBe(2);
  });

  test('are sent in batches of ten, fail one by one, and are never throttled', () => {
    const [queueId] = queueNamed('DeliveriesQueue');
    const mapping = mappingOf('DeliverySend');
    expect(mapping).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [queueId, 'Arn'] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(mapping.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    const { Timeout, ReservedConcurrentExecutions } = template.Resources[mapping.FunctionName.Ref]!.Properties;
    expect(Timeout).toBe(60);
    expect(ReservedConcurrentExecutions).toBeUndefined();
  });

  test('in the dead-letter queue are read by a function, and stay hidden for six of its timeouts', () => {
    const mapping = mappingOf('DeliveryDeadLetters');
    expect(mapping.EventSourceArn).toEqual({ 'Fn::GetAtt': [deadLettersId, 'Arn'] });
    const { Timeout } = template.Resources[mapping.FunctionName.Ref]!.Properties;
    expect(deadLetters.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });

  test('that are parked are checked once a minute', () => {
    expect(scheduleOf('DeliveryDrain')).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  test('keep their large bodies for as long as they can be sent again', () => {
    const [, { Properties }] = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Payloads'))!;
    expect(Properties.LifecycleConfiguration.Rules).toEqual([
      expect.objectContaining({ Prefix: 'disclosures/', ExpirationInDays: 7 }),
      expect.objectContaining({ ExpirationInDays: 39, Status: 'Enabled' }),
    ]);
  });
});

describe('privacy', () => {
  const bucketOf = (name: string) =>
    resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id.startsWith(name))![1] as {
      Properties: Record<string, unknown>;
      DeletionPolicy?: string;
    };

  test('is worked on once a minute, and a round ends before the next begins', () => {
    expect(scheduleOf('PrivacyWork')).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const { Timeout } = template.Resources[pipelineIds(template)['privacy-work']!]!.Properties;
    expect(Timeout).toBeLessThan(privacyLimits.heldSeconds);
    expect(privacyLimits.roundSeconds).toBeLessThan(Timeout);
  });

  test('has a ledger that outlives the stack, and in which nothing expires or is replaced', () => {
    const { Properties, DeletionPolicy } = bucketOf('ErasureLedger');
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(Properties.LifecycleConfiguration).toBeUndefined();
  });
});

describe('outgoing events', () => {
  const mapping = mappingOf('EventsFanOut');

  const patterns = patternsOf(mapping);

  test('are new items of any kind in the stream that this region wrote', () => {
    expect(patterns[0]).toEqual({
      eventName: ['INSERT'],
      dynamodb: {
        NewImage: {
          kind: { S: [{ exists: true }] },
          region: { S: ['the-region'] },
        },
      },
    });
  });

  test('are handled in several batches of a shard at once', () => {
    expect(mapping.ParallelizationFactor).toBe(4);
  });

  test('of another region are left to it, although the table streams them here too', () => {
    const isRead = (region: string) => {
      const NewImage = { kind: { S: 'event' }, region: { S: region } };
      const record = { eventName: 'INSERT', dynamodb: { Keys: { sk: { S: 'EVENT#1' } }, NewImage } };
      return patterns.some((pattern) => matches(pattern as Pattern, record));
    };
    expect([isRead('the-region'), isRead('another-region')]).toEqual([true, false]);
  });

  test('are read together with orders and the other changes that plan internal triggers, and with nothing else', () => {
    expect(patterns).toHaveLength(3);
    const sk = { S: [{ prefix: 'SHIPMENT#' }, 'ORDER', { prefix: 'SETTINGS#TRIGGERS#' }, 'HEARTBEAT'] };
    expect(patterns[1]).toEqual({ eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { sk } } });
  });

  test('that fail are retried for most of a day, and what Lambda gives up is kept whole in the bucket', () => {
    expectWaiting(mapping);
    expectReplayed('EventsFanOut');
  });

  test('of integrations are sent where the deployment says, and nowhere by default', () => {
    const targets = { integration_1: { url: 'https://example.com', scheme: 'bearer' } } as const;
    const configured = variablesOf(synthesize({ integrationTargets: targets }));
    const holders = configured.filter(({ INTEGRATION_TARGETS }) => INTEGRATION_TARGETS === JSON.stringify(targets));
    expect(holders.map(({ POWERTOOLS_SERVICE_NAME }) => POWERTOOLS_SERVICE_NAME).sort()).toEqual([
      'automation-runs',
      'delivery',
      'fan-out',
      'segments',
      'sessions',
      'settings',
      'shops',
      'simulations',
      'webhooks',
    ]);
    expect(variablesOf(template).filter(({ INTEGRATION_TARGETS }) => INTEGRATION_TARGETS)).toEqual([]);
  });
});

describe('carrier updates', () => {
  const [queueId, queue] = queueNamed('CarrierUpdatesQueue');
  const [failuresId] = queueNamed('CarrierUpdatesFailures');
  const mapping = mappingOf('CarrierUpdatesIngest');

  test('that cannot be recorded are put into the failure queue by the function', () => {
    const { Variables } = template.Resources[mapping.FunctionName.Ref]!.Properties.Environment;
    expect(Variables.CARRIER_UPDATES_FAILURES_QUEUE_URL).toEqual({ Ref: failuresId });
  });

  test('are recorded in batches that fit into one transaction, and fail one by one', () => {
    expect(mapping).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [queueId, 'Arn'] },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(mapping.BatchSize).toBeLessThan(90);
    expect(mapping.MaximumBatchingWindowInSeconds).toBeLessThanOrEqual(2);
  });

  test('wait in the queue when there are many, so that no throttle uses up a receive', () => {
    expect(mapping.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
  });

  test('stay hidden for six times the timeout of a batch', () => {
    const { Timeout } = template.Resources[mapping.FunctionName.Ref]!.Properties;
    expect(queue.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });
});

describe('runs of automations', () => {
  const [queueId, queue] = queueNamed('AutomationRunsQueue');
  const [deadLettersId, deadLetters] = queueNamed('AutomationRunsDeadLetters');
  const mappings = mappingsOf('AutomationRunsAct');

  test('that the queue gave up are dead letters, which the same function reads', () => {
    const sources = mappings.map(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0]);
    expect(sources.toSorted()).toEqual([deadLettersId, queueId].toSorted());
  });

  test('fail one by one, are never throttled, and stay hidden for six times the timeout of a batch', () => {
    for (const { FunctionResponseTypes, ScalingConfig, FunctionName } of mappings) {
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
      const { Timeout } = template.Resources[FunctionName.Ref]!.Properties;
      for (const { Properties } of [queue, deadLetters]) {
        expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
      }
    }
  });
});

describe.each([
  ['CarrierUpdatesQueue', 'CarrierUpdatesFailures'],
  ['AutomationRunsQueue', 'AutomationRunsDeadLetters'],
  ['TrackingSubmissionRegistrations', 'TrackingSubmissionGivenUp'],
  ['TrackingSubmissionQueue', 'TrackingSubmissionDeadLetters'],
  ['SegmentsQueue', 'SegmentsDeadLetters'],
  ['EventsParts', 'EventsDeadParts'],
  ['EventsFailuresReplays', 'EventsFailuresQueue'],
  ['CountsFailuresReplays', 'CountsFailuresQueue'],
])('an outage ends before messages are given up in %s', (name, failuresName) => {
  const [queueId, queue] = queueNamed(name);
  const [failuresId, failures] = queueNamed(failuresName);
  const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy } = queue.Properties;

  test('for two weeks, and what is moved before has days left in the failure queue', () => {
    expect(RedrivePolicy.deadLetterTargetArn).toEqual({ 'Fn::GetAtt': [failuresId, 'Arn'] });
    expect([MessageRetentionPeriod, failures.Properties.MessageRetentionPeriod]).toEqual([14 * day, 14 * day]);
    const crashingFor = RedrivePolicy.maxReceiveCount * VisibilityTimeout;
    expect(crashingFor).toBeGreaterThan(7 * day);
    expect(crashingFor).toBeLessThanOrEqual(10 * day);
  });

  test('with a visibility timeout of at least six times that of its function', () => {
    const readers = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
      .map(([, { Properties }]) => Properties)
      .filter(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] === queueId);
    expect(readers).toHaveLength(name === 'TrackingSubmissionQueue' ? 0 : 1);
    for (const { FunctionName } of readers) {
      const { Timeout } = template.Resources[FunctionName.Ref]!.Properties;
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
    }
  });

  test('and seen: an alarm watches the age of its messages, also of those that SQS leaves out', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const alarm = alarms.find((candidate) => {
      const text = JSON.stringify(candidate);
      return text.includes(`"${queueId}"`) && text.includes('ApproximateAgeOfOldestMessage');
    })!;
    expect(alarm.Threshold).toBeLessThanOrEqual(3600);
    if (name === 'TrackingSubmissionQueue') return; // no function of ours reads it
    const reader = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').find(
      ([, { Properties }]) => Properties.EventSourceArn['Fn::GetAtt'][0] === queueId,
    )![1].Properties;
    const { Variables } = template.Resources[reader.FunctionName.Ref]!.Properties.Environment;
    expect(alarm.DatapointsToAlarm).toBe(1);
    expect(alarm.Metrics).toContainEqual(
      expect.objectContaining({
        MetricStat: {
          Metric: {
            MetricName: ownMetrics.oldestFailingMessage,
            Namespace: Variables.POWERTOOLS_METRICS_NAMESPACE,
            Dimensions: [{ Name: 'service', Value: Variables.POWERTOOLS_SERVICE_NAME }],
          },
          Period: 600,
          Stat: 'Maximum',
        },
      }),
    );
    const [sum] = alarm.Metrics.filter(({ Expression }: { Expression?: string }) => Expression);
    expect(sum.Expression).toMatch(/^MAX\(\[FILL\(failing, 0\)(, FILL\(age\d, 0\))+\]\)$/);
    expect(alarm.EvaluationPeriods * 600).toBeGreaterThan(retriedQueueLimits.longestPauseSeconds);
  });
});

describe('counts', () => {
  const mapping = mappingOf('CountsCount');

  test('read what is counted, and also what is removed, but no delivery and no run that expires unless a simulation made it', () => {
    const patterns = patternsOf(mapping);
    const ofKeys = (eventName: string[], ...keys: unknown[]) => ({
      eventName,
      dynamodb: { Keys: { sk: { S: keys } } },
    });
    expect(patterns).toEqual([
      ofKeys(['INSERT', 'MODIFY'], { prefix: 'DELIVERY#' }, 'VISITS', 'HEARTBEAT'),
      ofKeys(['INSERT'], { prefix: 'RUN#' }, { prefix: 'SHOWN#' }, { prefix: 'CLICKED#' }),
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { sk: { S: ['PAYLOAD'] } }, NewImage: { feed: { B: [{ exists: true }] } } },
      },
      {
        eventName: ['REMOVE'],
        dynamodb: {
          Keys: { sk: { S: [{ prefix: 'DELIVERY#' }, { prefix: 'RUN#' }] } },
          OldImage: { timeline_pk: { S: [{ prefix: 'SIMULATION#' }] } },
        },
      },
      // At every change, as what has the mark.
      {
        dynamodb: {
          Keys: {
            sk: {
              S: [
                { prefix: 'SHIPMENT#' },
                'ORDER',
                { prefix: 'CLAIM#' },
                { prefix: 'RECORD#' },
                { prefix: 'SIM#' },
                'SHOP',
                { prefix: '~' },
              ],
            },
          },
        },
      },
    ]);
  });

  test.each<[string, object, string[]]>([
    ['that its event took its place in a feed', { feed: { B: 'AwEA' } }, ['INSERT', 'MODIFY']],
    ['nothing of a feed', {}, []],
    ['that a reader passed a place', { feed_closed: { L: [] } }, []],
  ])('read of a payload item with %s %j: %j', (_, fields, changes) => {
    const Keys = { pk: { S: 'PAYLOADS#blue#1' }, sk: { S: 'PAYLOAD' } };
    const readAt = (id: string) =>
      (['INSERT', 'MODIFY', 'REMOVE'] as const).filter((eventName) => {
        const images = eventName === 'REMOVE' ? { OldImage: fields } : { NewImage: fields };
        return isRead(mappingOf(id), { eventName, dynamodb: { Keys, ...images } });
      });
    expect([readAt('CountsCount'), readAt('EventsFanOut')]).toEqual([changes, []]);
  });

  test('read the stream of payloads before anybody can switch a feed on', () => {
    const [mappingId] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').find(
      ([, { Properties }]) => Properties === mapping,
    )!;
    const { Type, DependsOn } = template.Resources[functionIds(template).feed!]!;
    expect([Type, DependsOn]).toEqual(['AWS::Lambda::Function', expect.arrayContaining([mappingId])]);
  });

  test('have read all of an hour when the ledger calls it settled, however long a function may take', () => {
    const timeoutOf = (name: string) => template.Resources[pipelineIds(template)[name]!]!.Properties.Timeout;
    const seconds = timeoutOf('fan-out') + mapping.MaximumBatchingWindowInSeconds + timeoutOf('counts');
    expect(settledAfterMs / 1000).toBeGreaterThan(seconds);
  });

  test('are counted one batch after the other, because the mark of a batch covers all records up to its last', () => {
    expect(mapping.ParallelizationFactor).toBeUndefined();
  });

  test('are not halved, because a batch that comes again must begin where it began', () => {
    expectWaiting({ ...mapping, BisectBatchOnFunctionError: true });
    expect(mapping.BisectBatchOnFunctionError).toBe(false);
  });

  test('that cannot be read are put aside whole, and come again from a queue', () => {
    expectReplayed('CountsCount');
  });
});

const isRead = (mapping: Resource['Properties'], record: object) =>
  patternsOf(mapping).some((pattern) => matches(pattern as Pattern, record));

test.each<[string, string[]]>([
  ['VISITS', ['INSERT', 'MODIFY']],
  ['SHOWN#campaign', ['INSERT']],
  ['CLICKED#campaign', ['INSERT']],
  ['REF', []],
  ['RATING#shipment', []],
])(
  'what happens on a page, %s, is read by counts at %j and never by fan-out, as both functions expect',
  (sk, changes) => {
    const Keys = { pk: { S: 'PAGE#token' }, sk: { S: sk } };
    const readAt = (id: string) =>
      ['INSERT', 'MODIFY', 'REMOVE'].filter((eventName) => isRead(mappingOf(id), { eventName, dynamodb: { Keys } }));
    expect([readAt('CountsCount'), readAt('EventsFanOut')]).toEqual([changes, []]);
    expect(changeKindOf('counts', sk) !== undefined).toBe(changes.length > 0);
    expect(changeKindOf('fan-out', sk)).toBeUndefined();
  },
);

describe('a kind of item that is newer than the filters of the stream', () => {
  const keys = { pk: { S: 'ORDER#blue#1' }, sk: { S: '~RETURN#1' } };

  test('reaches fan-out if it has a kind, whatever that is', () => {
    const NewImage = { ...keys, sk: { S: 'SURVEY#1' }, kind: { S: 'survey' }, region: { S: 'the-region' } };
    const record = { eventName: 'INSERT', dynamodb: { Keys: { pk: NewImage.pk, sk: NewImage.sk }, NewImage } };
    expect(isRead(mappingOf('EventsFanOut'), record)).toBe(true);
  });

  test.each(['INSERT', 'MODIFY', 'REMOVE'])('reaches both readers by the mark of its sort key at %s', (eventName) => {
    const record = { eventName, dynamodb: { Keys: keys } };
    expect(streamMappings().map((mapping) => isRead(mapping, record))).toEqual([true, true]);
  });

  test.each<[string, string, object]>([
    ['PAYLOADS#blue#1', 'PAYLOAD', {}],
    // The kind of a plan is none of the stream, so it has no region.
    ['DUE#blue#1', 'TRIGGERS#1', { kind: { S: 'internal_trigger' } }],
  ])('reaches no reader without a mark, so that nobody pays for what no reader needs: %s', (pk, sk, fields) => {
    const Keys = { pk: { S: pk }, sk: { S: sk } };
    const record = { eventName: 'INSERT', dynamodb: { Keys, NewImage: { ...Keys, ...fields } } };
    expect(streamMappings().map((mapping) => isRead(mapping, record))).toEqual([false, false]);
  });
});

test('a function whose messages can lead back to it may go on for as long as they do, and no other may', () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => id);
  const leadsBack = (id: string) => queuesBehind(id).some((queue) => readersOf(queue).includes(id));
  const allowed = functions.filter((id) => template.Resources[id]!.Properties.RecursiveLoop === 'Allow');
  expect(allowed).toEqual(functions.filter(leadsBack));
  const names = Object.entries(pipelineIds(template)).filter(([, id]) => allowed.includes(id));
  expect(names.map(([name]) => name)).toEqual(
    expect.arrayContaining(['delivery', 'fan-out', 'segments', 'tracking-registration']),
  );
});

describe('the heartbeat of the stream', () => {
  const readers = [
    { name: 'fan-out', alarm: '/EventStreamAge.md' },
    { name: 'counts', alarm: '/CountsStreamAge.md' },
  ].map(({ name, alarm }) => ({ id: pipelineIds(template)[name]!, alarm }));

  test('is written every minute by a function that may write nothing else there, and read by both functions', () => {
    const due = pipelineIds(template).due!;
    expect(scheduleOf('DueWork')).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const grants = allowedByRoleOf(template, due).filter(({ conditions }) =>
      JSON.stringify(conditions).includes('"HEARTBEAT#*"'),
    );
    expect(grants.map(({ actions }) => actions)).toEqual([['dynamodb:PutItem']]);
    const Keys = marshall(keyOf.heartbeat('the-region'));
    for (const eventName of ['INSERT', 'MODIFY']) {
      const record = { eventName, dynamodb: { Keys, NewImage: Keys } };
      for (const { id } of readers) {
        const mapping = streamMappings().find(({ FunctionName }) => FunctionName.Ref === id)!;
        expect(patternsOf(mapping).some((pattern) => matches(pattern as Pattern, record))).toBe(true);
      }
    }
  });

  test('makes a missing age a fault, except in a period in which the service does not run yet', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    for (const { id, alarm } of readers) {
      const found = alarms.find(({ AlarmDescription }) => AlarmDescription.endsWith(alarm))!;
      // Two of three periods: the first after a deployment, in which the mapping only begins to read, does not suffice.
      expect(found).toMatchObject({ TreatMissingData: 'breaching', EvaluationPeriods: 3, DatapointsToAlarm: 2 });
      const [{ Expression }, ...metrics] = found.Metrics;
      const [, age] = Expression.match(/^IF\(FILL\(rounds, 0\) < 3, FILL\((\w+), 0\), \1\)$/)!;
      const metricOf = (wanted: string) => metrics.find(({ Id }: { Id: string }) => Id === wanted).MetricStat;
      const ofFunction = (functionId: string) => [{ Name: 'FunctionName', Value: { Ref: functionId } }];
      expect(metricOf(age)).toMatchObject({
        Metric: { MetricName: 'IteratorAge', Dimensions: ofFunction(id) },
        Period: 300,
        Stat: 'Maximum',
      });
      const witness = pipelineIds(template).drain!;
      expect(metricOf('rounds')).toMatchObject({
        Metric: { MetricName: 'Invocations', Dimensions: ofFunction(witness) },
        Period: 300,
        Stat: 'Sum',
      });
    }
    expect(scheduleOf('DeliveryDrain')).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const mustHaveData = alarms.filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(mustHaveData.map(({ AlarmDescription }) => basename(AlarmDescription, '.md'))).toEqual([
      'SilentSchedule',
      'EventStreamAge',
      'CountsStreamAge',
    ]);
  });
});

describe('due work', () => {
  test('is done once a minute, by a function that ends before the next round', () => {
    expect(scheduleOf('DueWork')).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const [, work] = resourcesOf(template, 'AWS::Lambda::Function').find(([id]) => id.startsWith('DueWork'))!;
    expect(work.Properties.Timeout).toBeLessThan(60);
  });
});

describe('a function', () => {
  test('that mostly waits has half the memory of the others', () => {
    const named = resourcesOf(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
      const name = Properties.Environment?.Variables?.POWERTOOLS_SERVICE_NAME;
      return name === undefined || Properties.MemorySize === 1024 ? [] : [[name, Properties.MemorySize]];
    });
    expect(Object.fromEntries(named)).toEqual({ delivery: 512, 'fan-out': 512 });
  });

  test('starts without options of Node, for which every start would pay and the bench of loading would not', () => {
    const options = resourcesOf(template, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Environment?.Variables?.NODE_OPTIONS,
    );
    expect(new Set(options)).toEqual(new Set([undefined]));
  });

  test('is not traced: nothing in it would say what it did, and each trace costs', () => {
    const traced = resourcesOf(template, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.TracingConfig,
    );
    expect(traced).toEqual([]);
  });
});

describe('the logs', () => {
  test('expire', () => {
    const groups = [...resourcesOf(template, 'AWS::Logs::LogGroup'), ...resourcesOf(withEgress, 'AWS::Logs::LogGroup')];
    expect(groups.filter(([, { Properties }]) => !(Properties.RetentionInDays <= 31))).toEqual([]);
  });

  test('of a function go to a group of this stack, not to one that Lambda makes and that never expires', () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect(template.Resources[Properties.LoggingConfig.LogGroup.Ref]?.Type).toBe('AWS::Logs::LogGroup');
    }
  });
});

describe('the alarms', () => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const [topicId] = resourcesOf(template, 'AWS::SNS::Topic')[0]!;

  test.each([
    // DynamoDB counts a batch as throttled only if every item in it is, so for batches it is the items that count, but not in an index.
    [
      '/TableThrottled.md',
      'ThrottledRequests',
      sentOperations().filter((operation) => operation !== 'BatchGetItem'),
      ['ReadThrottleEvents', 'WriteThrottleEvents'],
    ],
    // An error of DynamoDB itself hits all operations.
    ['/TableSystemErrors.md', 'SystemErrors', ['BatchGetItem', 'Query', 'TransactWriteItems'], []],
  ])(
    'on faults of the table (%s) add up operations that functions send, and end because the sum always has data',
    (runbook, name, expected, ofItems) => {
      const { Metrics } = alarms.find(({ AlarmDescription }) => AlarmDescription.endsWith(runbook))!;
      const [{ Expression }, ...metrics]: [TableMetric, ...TableMetric[]] = Metrics;
      const others = metrics.filter(({ MetricStat }) => MetricStat.Metric.MetricName !== name);
      const written = others.pop();
      expect(others.map(({ MetricStat }) => MetricStat.Metric.MetricName)).toEqual(ofItems);
      for (const { MetricStat } of others) expect(MetricStat.Metric.Dimensions).toMatchObject([{ Name: 'TableName' }]);
      expect(written).toMatchObject({
        Id: 'written',
        MetricStat: {
          Metric: { MetricName: 'ConsumedWriteCapacityUnits', Dimensions: [{ Name: 'TableName' }] },
          Period: 300,
          Stat: 'Sum',
        },
      });
      const faults = metrics.filter((metric) => metric !== written);
      expect(Expression).toBe(`${faults.map(({ Id }) => Id).join(' + ')} + 0 * written`);
      for (const { MetricStat } of faults) expect(MetricStat).toMatchObject({ Period: 300, Stat: 'Sum' });
      const operations = faults.flatMap(({ MetricStat }) =>
        MetricStat.Metric.Dimensions.filter((one) => one.Name === 'Operation'),
      );
      expect(operations.map(({ Value }) => Value).toSorted()).toEqual(expected);
      expect(sentOperations()).toEqual(expect.arrayContaining(expected));
      expect(Metrics.length).toBeLessThanOrEqual(10);
    },
  );

  test('all reach the topic, and have a description', () => {
    expect(alarms).not.toEqual([]);
    for (const { AlarmActions, OKActions, AlarmDescription } of alarms) {
      expect(AlarmActions).toEqual([{ Ref: topicId }]);
      expect(OKActions).toEqual([{ Ref: topicId }]);
      expect(AlarmDescription).toMatch(/\. Runbook: lib\/runbooks\/\w+\.md$/);
    }
  });

  test('may publish to the topic, whose own policy replaces the default one', () => {
    const { Statement } = onlyResource(template, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument;
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
  });

  test('have a runbook each, of about ten lines, and no runbook is without an alarm', () => {
    const pages = globSync('lib/runbooks/*.md').filter((path) => !path.endsWith('README.md'));
    const lines = new Map(pages.map((path) => [path, readFileSync(path, 'utf8').trim().split('\n').length]));
    const ofProbe = resourcesOf(synthesizeProbe(), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const all = [...alarms, ...ofProbe];
    const linked = new Set(all.map(({ AlarmDescription }) => AlarmDescription.split('Runbook: ')[1]));
    expect(pages.toSorted()).toEqual([...linked].toSorted());
    const index = readFileSync('lib/runbooks/README.md', 'utf8');
    expect(pages.filter((path) => !index.includes(`(${basename(path)})`))).toEqual([]);
    expect([...lines].filter(([, count]) => count < 6 || count > 14)).toEqual([]);
  });

  test('and the dashboard show no metric of ours that nothing writes', () => {
    const dashboard = onlyResource(template, 'AWS::CloudWatch::Dashboard').Properties;
    const shown = JSON.stringify([alarms, dashboard]);
    const names = Object.entries(ownMetrics).filter(([, name]) => shown.includes(name));
    expect(names.length).toBeGreaterThanOrEqual(2);
    const sources = globSync('functions/**/*.ts')
      .map((path) => readFileSync(path, 'utf8'))
      .join();
    expect(names.filter(([key]) => !sources.includes(`ownMetrics.${key}`))).toEqual([]);
    const ofOurs = JSON.stringify(alarms).matchAll(/"MetricName":"(\w+)","Namespace":"PostPurchase[^"]*"/g);
    const inLogs = resourcesOf(template, 'AWS::Logs::MetricFilter').map(
      ([, { Properties }]) => Properties.MetricTransformations[0].MetricName,
    );
    const known: string[] = [...Object.values(ownMetrics), ...inLogs];
    for (const [, name] of ofOurs) expect(known).toContain(name);
  });

  test('go off when the stream or the queue of deliveries waits, and long before the queue has no place in flight', () => {
    const limitOf = (metric: string) =>
      alarms.filter((alarm) => JSON.stringify(alarm).includes(`"${metric}"`)).map(({ Threshold }) => Threshold);
    expect(limitOf('IteratorAge')).toEqual([600_000, 600_000]);
    expect(limitOf('ApproximateNumberOfMessagesNotVisible')).toEqual([72_000]);
  });

  test.each(['DeliveriesDeadLetters'])('go off at a message into %s, even if a function reads it at once', (name) => {
    const [queueId] = queueNamed(name);
    const ofQueue = alarms.filter((alarm) => JSON.stringify(alarm).includes(`"${queueId}"`));
    const received = ofQueue.find((alarm) => JSON.stringify(alarm).includes('NumberOfMessagesReceived'));
    expect(received).toMatchObject({ Threshold: 1, DatapointsToAlarm: 1 });
  });

  test.each([
    'EventsFailuresQueue',
    'CarrierUpdatesFailures',
    'AutomationRunsGivenUp',
    'TrackingSubmissionDeadLetters',
    'SegmentsDeadLetters',
    'TrackingSubmissionGivenUp',
    'EventsDeadParts',
    'CountsFailuresQueue',
  ])('go off at the first message in %s', (name) => {
    const [queueId] = queueNamed(name);
    const alarm = alarms.find((candidate) => JSON.stringify(candidate).includes(`"${queueId}"`));
    expect(JSON.stringify(alarm)).toContain('ApproximateNumberOfMessagesVisible');
    expect(alarm).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      DatapointsToAlarm: 1,
    });
  });

  test('do not go off when the system of a shop fails: the 502 of its family are counted apart', () => {
    const service = variablesOf(template).find(
      ({ POWERTOOLS_SERVICE_NAME }) => POWERTOOLS_SERVICE_NAME === 'shop-system',
    )!;
    const alarm = alarms.find((candidate) => JSON.stringify(candidate).includes('BadGateways'))!;
    const metrics: { MetricStat?: { Metric: { MetricName: string } } }[] = alarm.Metrics;
    const counted = metrics.find(({ MetricStat }) => MetricStat?.Metric.MetricName === 'BadGateways')!;
    expect(counted.MetricStat).toMatchObject({
      Metric: {
        Namespace: service.POWERTOOLS_METRICS_NAMESPACE,
        Dimensions: [{ Name: 'service', Value: 'shop-system' }],
      },
      Stat: 'Sum',
    });
    expect(JSON.stringify(alarms)).not.toContain('SegmentsGivenUp');
  });

  test('are sent by e-mail when an address is given', () => {
    expect(onlyResource(template, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
    });
    expect(resourcesOf(withEgress, 'AWS::SNS::Subscription')).toEqual([]);
  });
});

describe('the static egress address', () => {
  test('costs nothing by default: no network, no gateway, no address', () => {
    const network = Object.values(template.Resources).filter(({ Type }) => Type.startsWith('AWS::EC2::'));
    expect(network).toEqual([]);
    expect(template.Outputs).not.toHaveProperty('EgressAddress');
  });

  test('is the single address of the single gateway, and is kept when the stack is deleted', () => {
    const addresses = resourcesOf(withEgress, 'AWS::EC2::EIP');
    expect(addresses).toHaveLength(1);
    const [addressId, address] = addresses[0]!;
    expect(address.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(onlyResource(withEgress, 'AWS::EC2::NatGateway').Properties.AllocationId).toEqual({
      'Fn::GetAtt': [addressId, 'AllocationId'],
    });
    expect(withEgress.Outputs.EgressAddress!.Value).toEqual({ 'Fn::GetAtt': [addressId, 'PublicIp'] });
  });

  test('is used by deliveries and by nothing else', () => {
    const placed = resourcesOf(withEgress, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.VpcConfig,
    );
    const names = placed.map(([, { Properties }]) => Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME);
    expect(names).toEqual(['delivery']);
  });

  test('does not carry the traffic to the table and the bucket', () => {
    const endpoints = resourcesOf(withEgress, 'AWS::EC2::VPCEndpoint').map(([, { Properties }]) => Properties);
    const services = endpoints.map(({ ServiceName }) => JSON.stringify(ServiceName).match(/(dynamodb|s3)"/)?.[1]);
    expect(services.sort()).toEqual(['dynamodb', 's3']);
    expect(endpoints.map(({ VpcEndpointType }) => VpcEndpointType)).toEqual(['Gateway', 'Gateway']);
  });
});

test('a schedule is not retried, neither by its rule nor by Lambda: the next round does the same work', () => {
  const rules = resourcesOf(template, 'AWS::Events::Rule').filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  const scheduled = rules.map(([, { Properties }]) => Properties.Targets[0]);
  expect(scheduled).toHaveLength(3);
  for (const { RetryPolicy } of scheduled) expect(RetryPolicy).toMatchObject({ MaximumRetryAttempts: 0 });
  const invocations = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties);
  const functionOf = (arn: { 'Fn::GetAtt': [string, string] }) => arn['Fn::GetAtt'][0];
  expect(invocations.map(({ FunctionName }) => FunctionName.Ref).toSorted()).toEqual(
    scheduled.map(({ Arn }) => functionOf(Arn)).toSorted(),
  );
  for (const { MaximumRetryAttempts } of invocations) expect(MaximumRetryAttempts).toBe(0);
});

test('the stack names no resource, so that each can be replaced and one account can hold the stack twice', () => {
  const names = [
    'TableName',
    'BucketName',
    'QueueName',
    'FunctionName',
    'RoleName',
    'LogGroupName',
    'TopicName',
    'AlarmName',
  ];
  const named = Object.values(withEgress.Resources).filter(({ Properties }) =>
    names.some((name) => typeof Properties?.[name] === 'string'),
  );
  expect(named).toEqual([]);
});

function variablesOf(from: Template): Record<string, string>[] {
  return resourcesOf(from, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.Environment.Variables);
}

function keysOf({ KeySchema }: { KeySchema: { AttributeName: string }[] }): string[] {
  return KeySchema.map(({ AttributeName }) => AttributeName);
}

/** A logical id is the path of its construct and a hash of eight characters. */
function queueNamed(path: string): [id: string, Resource] {
  return resourcesOf(template, 'AWS::SQS::Queue').find(([id]) => id.slice(0, -8) === path)!;
}

function mappingsOf(path: string): Resource['Properties'][] {
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(([id]) => id.startsWith(path));
  return mappings.map(([, { Properties }]) => Properties);
}

const streamMappings = (): Resource['Properties'][] =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .map(([, { Properties }]) => Properties)
    .filter(({ StartingPosition }) => StartingPosition !== undefined);

/** What a mapping reads, in the region `the-region`. */
function patternsOf(mapping: Resource['Properties']): unknown[] {
  return mapping.FilterCriteria.Filters.map(({ Pattern }: { Pattern: unknown }) => {
    const parts: unknown[] = Array.isArray(Object(Pattern)['Fn::Join']) ? Object(Pattern)['Fn::Join'][1] : [Pattern];
    return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : 'the-region')).join(''));
  });
}

const mappingOf = (path: string): Resource['Properties'] => mappingsOf(path)[0]!;

/** The queues that messages of a function reach, also by way of other functions, and by the dead letters of a queue. */
function queuesBehind(functionId: string): string[] {
  const found = new Set<string>();
  const visit = (sender: string): void => {
    for (const queue of queuesOf(sender).filter((id) => !found.has(id))) {
      found.add(queue);
      for (const reader of readersOf(queue)) visit(reader);
    }
  };
  visit(functionId);
  return [...found];
}

/** The queues that a function may send to, and those that give their messages up to another. */
function queuesOf(functionId: string): string[] {
  const sends = allowedByRoleOf(template, functionId).filter(({ actions }) =>
    actions.some((action) => /^(\*|sqs:(\*|SendMessage.*))$/.test(action)),
  );
  const queues = sends.flatMap(({ resources }) => resources).map(queueOfArn);
  const givenUpTo = queues.flatMap((id) => {
    const { RedrivePolicy } = template.Resources[id]!.Properties;
    return RedrivePolicy ? [queueOfArn(RedrivePolicy.deadLetterTargetArn)] : [];
  });
  return [...queues, ...givenUpTo];
}

const queueOfArn = (arn: unknown): string => {
  const [id] = (arn as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'];
  if (template.Resources[id]?.Type !== 'AWS::SQS::Queue') throw new Error(`${JSON.stringify(arn)} is no queue.`);
  return id;
};

const readersOf = (queueId: string): string[] =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .filter(([, { Properties }]) => Properties.EventSourceArn['Fn::GetAtt'][0] === queueId)
    .map(([, { Properties }]) => Properties.FunctionName.Ref);

interface TableMetric {
  Id: string;
  Expression?: string;
  MetricStat: { Metric: { MetricName: string; Dimensions: { Name: string; Value: unknown }[] } };
}

/** The operations of the table whose commands the functions import, and the pages of queries. */
function sentOperations(): string[] {
  const sources = globSync('functions/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const imports = sources.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@aws-sdk\/lib-dynamodb'/g)]);
  const names = imports.flatMap(([, list]) => list!.split(',').map((name) => name.trim()));
  const commands = names.flatMap((name) => name.match(/^(\w+)Command$/)?.[1] ?? []);
  return [...new Set(commands)].map((name) => operationOf[name] ?? name).toSorted();
}

/** What CloudWatch calls the commands of the document client. */
const operationOf: Record<string, string> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  BatchGet: 'BatchGetItem',
  BatchWrite: 'BatchWriteItem',
  TransactGet: 'TransactGetItems',
  TransactWrite: 'TransactWriteItems',
};

/** The schedule of a function. */
function scheduleOf(path: string): Resource['Properties'] {
  const rules = resourcesOf(template, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);
  return rules.find(({ Targets }) => Targets[0].Arn['Fn::GetAtt'][0].startsWith(path))!;
}

/** The stream waits for the end of an outage, and keeps what Lambda gives up after most of a day. */
// biome-ignore lint/suspicious/noExplicitAny: a template is JSON whose shape differs by type.
function expectWaiting(mapping: any): void {
  const [bucketId] = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Payloads'))!;
  expect(mapping).toMatchObject({
    StartingPosition: 'TRIM_HORIZON',
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumRecordAgeInSeconds: 23 * 3600,
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [bucketId, 'Arn'] } } },
  });
  expect(mapping.MaximumRetryAttempts).toBeUndefined();
}

/** Records that were put aside come again from a queue, and return to the failures if they fail. */
function expectReplayed(reader: string): void {
  const replays = mappingsOf(reader).find(({ EventSourceArn }) => JSON.stringify(EventSourceArn).includes('Replays'))!;
  const [, queue] = resourcesOf(template, 'AWS::SQS::Queue').find(
    ([id]) => id === replays.EventSourceArn['Fn::GetAtt'][0],
  )!;
  expect(JSON.stringify(queue.Properties.RedrivePolicy)).toContain('FailuresQueue');
}
