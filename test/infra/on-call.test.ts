import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Stage, stageFault } from '#lib/stage.ts';
import { familyNames } from '#schemas/families/index.ts';
import {
  certificateArn,
  functionIds,
  onlyResource,
  pipelineIds,
  type Resource,
  resourcesOf,
  synthesize,
  synthesizeProbe,
  type Template,
} from './synthesis.ts';

const email = 'on-call@example.com';
const template = synthesize({ alarmEmail: email, monthlyBudgetDollars: 200, logLevel: 'WARN' });

interface MetricQuery {
  Id: string;
  Expression?: string;
  MetricStat?: {
    Metric: { MetricName: string; Namespace: string; Dimensions?: object[] };
    Period: number;
    Stat: string;
  };
}

const withUrl: string[] = resourcesOf(template, 'AWS::Lambda::Url').map(
  ([, { Properties }]) => Properties.TargetFunctionArn['Fn::GetAtt'][0],
);

const ofFunction = (MetricName: string, id: string) => ({
  MetricName,
  Namespace: 'AWS/Lambda',
  Dimensions: [{ Name: 'FunctionName', Value: { Ref: id } }],
});

describe('failed and refused invocations', () => {
  test('of every function are lines of its log that count as one metric, so that one alarm sees them all', () => {
    const ids = Object.values({ ...functionIds(template), ...pipelineIds(template) });
    expect(ids.length).toBeGreaterThan(familyNames.length);
    const logsOfFunctions = ids.map((id) => template.Resources[id]!.Properties.LoggingConfig.LogGroup.Ref);
    const filters = filtersNamed('FailedInvocations');
    expect(filters.map(({ LogGroupName }) => LogGroupName.Ref).toSorted()).toEqual(logsOfFunctions.toSorted());
    for (const { FilterPattern, MetricTransformations } of filters) {
      expect(FilterPattern).toBe('{ ($.type = "platform.report") && ($.record.status != "success") }');
      expect(MetricTransformations).toEqual([
        { MetricName: 'FailedInvocations', MetricNamespace: 'Service', MetricValue: '1' },
      ]);
    }
    expect(onlyMetricOf('FunctionErrors')).toEqual({
      Metric: { MetricName: 'FailedInvocations', Namespace: 'Service' },
      Period: 300,
      Stat: 'Sum',
    });
    expect(alarmOf('FunctionErrors')).toMatchObject({ Threshold: 1, DatapointsToAlarm: 1 });
  });

  test('are logged by Lambda in every stage, with the time and the memory of all others', () => {
    for (const id of Object.values({ ...functionIds(template), ...pipelineIds(template) })) {
      expect(template.Resources[id]!.Properties.LoggingConfig).toMatchObject({
        LogFormat: 'JSON',
        SystemLogLevel: 'INFO',
      });
    }
  });

  test('ring if Lambda refuses requests of the API, fan-out, delivery, or a function with concurrency or an address of its own', () => {
    const { Metrics, Threshold } = alarmOf('FunctionThrottles');
    const [{ Expression }, ...metrics]: [MetricQuery, ...MetricQuery[]] = Metrics;
    expect(Expression).toBe(metrics.map(({ Id }) => `FILL(${Id}, 0)`).join(' + '));
    expect(Threshold).toBe(1);
    const { 'fan-out': fanOut, delivery } = pipelineIds(template);
    const reserved = resourcesOf(template, 'AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined)
      .map(([id]) => id);
    const watched = [...new Set([...reserved, ...withUrl, fanOut, delivery])];
    const [ofApi, ...throttles] = metrics.map(({ MetricStat }) => MetricStat!.Metric);
    expect(ofApi).toMatchObject({ MetricName: 'RefusedInvocations', Namespace: 'Service' });
    expect(new Set(throttles)).toEqual(new Set(watched.map((id) => ofFunction('Throttles', id!))));
    expect(Metrics.length).toBeLessThanOrEqual(10);
  });

  test('have the names of their functions on the dashboard', () => {
    const ids = Object.values({ ...functionIds(template), ...pipelineIds(template) });
    for (const [title, metric] of [
      ['Function errors', 'Errors'],
      ['Function throttles', 'Throttles'],
    ] as const) {
      const shown = graphs()[title]!.map(([, name, , id]) => [name, id]);
      expect(shown.toSorted()).toEqual(ids.map((id) => [metric, id]).toSorted());
    }
  });
});

describe('answers with 429', () => {
  test('are told apart in the access log: of the gateway, of Lambda, and of a function for one shop above its rate', () => {
    const { AccessLogSetting } = onlyResource(template, 'AWS::ApiGateway::Stage').Properties;
    const fields = JSON.parse(AccessLogSetting.Format);
    expect(fields).toMatchObject({
      status: '$context.status',
      integrationStatus: '$context.integrationStatus',
      gatewayError: '$context.error.responseType',
    });
    const patterns = ['GatewayThrottles', 'RefusedInvocations', 'RateLimited'].map((name) => {
      const [filter, ...others] = filtersNamed(name);
      expect(others).toEqual([]);
      expect(JSON.stringify(AccessLogSetting.DestinationArn)).toContain(`"${filter!.LogGroupName.Ref}"`);
      return filter!.FilterPattern;
    });
    expect(patterns).toEqual([
      '{ $.gatewayError = "THROTTLED" }',
      '{ $.integrationStatus = "429" }',
      '{ ($.status = "429") && ($.gatewayError = "-") }',
    ]);
  });

  test('ring if the gateway gives them, and not if a shop is above its rate', () => {
    expect(onlyMetricOf('GatewayThrottles').Metric).toEqual({ MetricName: 'GatewayThrottles', Namespace: 'Service' });
    expect(alarmOf('GatewayThrottles')).toMatchObject({ Threshold: 1, DatapointsToAlarm: 1 });
    expect(JSON.stringify(alarms(template))).not.toContain('RateLimited');
  });
});

test('deliveries that go on ending in faults of ours ring, and one that passes does not', () => {
  const { delivery } = pipelineIds(template);
  const { POWERTOOLS_SERVICE_NAME: service } = template.Resources[delivery!]!.Properties.Environment.Variables;
  expect(onlyMetricOf('DeliveryFaults')).toEqual({
    Metric: {
      MetricName: 'DeliveryFaults',
      Namespace: 'Service',
      Dimensions: [{ Name: 'service', Value: service }],
    },
    Period: 300,
    Stat: 'Sum',
  });
  expect(alarmOf('DeliveryFaults')).toMatchObject({
    Threshold: 1,
    // What stays is tried every 15 minutes in the end.
    EvaluationPeriods: 7,
    DatapointsToAlarm: 2,
    TreatMissingData: 'notBreaching',
  });
});

test('a schedule that is silent rings, also if it has never run', () => {
  const { Metrics, ...alarm } = alarmOf('SilentSchedule');
  expect(alarm).toMatchObject({ Threshold: 1, DatapointsToAlarm: 2, TreatMissingData: 'breaching' });
  const [{ Expression }, ...metrics]: [MetricQuery, ...MetricQuery[]] = Metrics;
  expect(Expression).toBe('IF(MIN([FILL(drain, 0), FILL(due, 0), FILL(privacyWork, 0)]) < 3, 1, 0)');
  const everyMinute = resourcesOf(template, 'AWS::Events::Rule')
    .filter(([, { Properties }]) => Properties.ScheduleExpression === 'rate(1 minute)')
    .map(([, { Properties }]) => Properties.Targets[0].Arn['Fn::GetAtt'][0]);
  expect(everyMinute).toHaveLength(3);
  const watched = metrics.map(({ MetricStat }) => {
    expect(MetricStat).toMatchObject({ Metric: { MetricName: 'Invocations' }, Period: 300, Stat: 'Sum' });
    return (MetricStat!.Metric.Dimensions as [{ Value: { Ref: string } }])[0].Value.Ref;
  });
  expect(watched.toSorted()).toEqual(everyMinute.toSorted());
});

test('failing requests of customers and tracking providers ring, which do not come through the gateway', () => {
  const { Metrics, ...alarm } = alarmOf('PageServerErrors');
  expect(alarm).toMatchObject({ Threshold: 0.01, DatapointsToAlarm: 2, TreatMissingData: 'notBreaching' });
  const [{ Expression }, ...metrics]: [MetricQuery, ...MetricQuery[]] = Metrics;
  const named = (name: string) => metrics.filter(({ MetricStat }) => MetricStat!.Metric.MetricName === name);
  const [errors, requests] = [named('Url5xxCount'), named('UrlRequestCount')];
  const sum = (some: MetricQuery[]) => `(${some.map(({ Id }) => `FILL(${Id}, 0)`).join(' + ')})`;
  expect(Expression).toBe(`${sum(errors)} / ${sum(requests)}`);
  expect(withUrl).not.toEqual([]);
  for (const [name, some] of [
    ['Url5xxCount', errors],
    ['UrlRequestCount', requests],
  ] as const) {
    const seen = some.map(({ MetricStat }) => MetricStat!.Metric);
    expect(new Set(seen)).toEqual(new Set(withUrl.map((id) => ofFunction(name, id))));
  }
});

test.each([
  ['merchants', 'ApiLatency', { MetricName: 'Latency', Namespace: 'AWS/ApiGateway' }],
  ['customers', 'PageLatency', ofFunction('UrlRequestLatency', functionIds(template).pages!)],
])('slow requests of %s ring, if there are enough to know', (_, runbook, metric) => {
  expect(alarmOf(runbook)).toMatchObject({
    ...metric,
    ExtendedStatistic: 'p99',
    Threshold: 3000,
    DatapointsToAlarm: 3,
    EvaluateLowSampleCountPercentile: 'ignore',
  });
});

test.each([
  [{}, 800],
  [{ concurrency: 5000 }, 4000],
])('the concurrency of the account rings at four fifths: %j', (settings: Stage, limit) => {
  const from = 'concurrency' in settings ? synthesize(settings) : template;
  expect(alarmOf('Concurrency', from).Threshold).toBe(limit);
  expect(onlyMetricOf('Concurrency', from)).toEqual({
    Metric: { MetricName: 'ClaimedAccountConcurrency', Namespace: 'AWS/Lambda' },
    Period: 300,
    Stat: 'Maximum',
  });
});

test('throttled keys of the table and of the indexes that orders and parcels write have names', () => {
  const [replica] = onlyResource(template, 'AWS::DynamoDB::GlobalTable').Properties.Replicas;
  const throttledKeys = { Enabled: true, Mode: 'THROTTLED_KEYS' };
  expect(replica.ContributorInsightsSpecification).toEqual(throttledKeys);
  const indexes = replica.GlobalSecondaryIndexes.filter(
    ({ ContributorInsightsSpecification: on }: { ContributorInsightsSpecification?: object }) => on,
  );
  // Not those whose keys are people: CloudWatch shows keys as they are, and no erasure reaches it.
  expect(indexes).toEqual(
    ['timeline', 'activity'].map((IndexName) => ({ IndexName, ContributorInsightsSpecification: throttledKeys })),
  );
});

describe('a budget', () => {
  test('mails when the account will cost more in a month, and when it does', () => {
    const { Budget, NotificationsWithSubscribers } = onlyResource(template, 'AWS::Budgets::Budget').Properties;
    expect(Budget).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 200, Unit: 'USD' },
    });
    expect(
      NotificationsWithSubscribers.map(({ Notification, Subscribers }: Resource['Properties']) => [
        Notification.NotificationType,
        Notification.Threshold,
        Subscribers,
      ]),
    ).toEqual(
      [
        ['FORECASTED', 100],
        ['ACTUAL', 80],
        ['ACTUAL', 100],
      ].map((told) => [...told, [{ SubscriptionType: 'EMAIL', Address: email }]]),
    );
  });

  test('needs an address', () => {
    expect(stageFault({ monthlyBudgetDollars: 200 })).toBe('monthlyBudgetDollars needs alarmEmail, which is told');
    expect(stageFault({ monthlyBudgetDollars: 200, alarmEmail: email })).toBeUndefined();
  });
});

describe('the probe', () => {
  const probe = synthesizeProbe(email);

  test('asks the health of the service over HTTPS from three regions, as the contract has it', () => {
    const { HealthCheckConfig } = onlyResource(probe, 'AWS::Route53::HealthCheck').Properties;
    expect(HealthCheckConfig).toMatchObject({
      Type: 'HTTPS',
      FullyQualifiedDomainName: 'api.example.com',
      ResourcePath: '/health',
      RequestInterval: 30,
      FailureThreshold: 3,
    });
    expect(HealthCheckConfig.Regions).toHaveLength(3);
  });

  test('rings by mail if there is no answer, and if nobody asks', () => {
    const [topic] = resourcesOf(probe, 'AWS::SNS::Topic')[0]!;
    const [check] = resourcesOf(probe, 'AWS::Route53::HealthCheck')[0]!;
    expect(alarmOf('NoAnswer', probe)).toMatchObject({
      MetricName: 'HealthCheckStatus',
      Namespace: 'AWS/Route53',
      Dimensions: [{ Name: 'HealthCheckId', Value: { 'Fn::GetAtt': [check, 'HealthCheckId'] } }],
      Statistic: 'Minimum',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
      AlarmActions: [{ Ref: topic }],
      OKActions: [{ Ref: topic }],
    });
    expect(onlyResource(probe, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: email,
    });
  });

  test('rings if the certificate of the domain is not renewed, which no health check looks at', () => {
    const [topic] = resourcesOf(probe, 'AWS::SNS::Topic')[0]!;
    expect(alarmOf('CertificateExpires', probe)).toMatchObject({
      MetricName: 'DaysToExpiry',
      Namespace: 'AWS/CertificateManager',
      Dimensions: [{ Name: 'CertificateArn', Value: certificateArn }],
      Statistic: 'Minimum',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 30,
      TreatMissingData: 'ignore',
      AlarmActions: [{ Ref: topic }],
    });
  });
});

test('all alarms together look at few metrics, because each is billed', () => {
  const metrics = alarms(template).flatMap(({ Metrics }) =>
    Metrics ? Metrics.filter(({ MetricStat }: MetricQuery) => MetricStat) : [{}],
  );
  expect(metrics.length).toBeLessThanOrEqual(64);
});

test.each([
  ['Requests answered with 429', ['GatewayThrottles', 'RateLimited']],
  ['Rounds of schedules in five minutes', ['Invocations', 'Invocations', 'Invocations']],
  ['Concurrency', ['ClaimedAccountConcurrency']],
  ['Failed and refused invocations', ['FailedInvocations']],
])('the dashboard shows %s', (title, metrics) => {
  const shown = graphs()[title]!.map(([, name]) => name);
  expect(shown).toEqual(expect.arrayContaining(metrics));
});

test('the runbook of throttled tables says where the names are', () => {
  expect(readFileSync('lib/runbooks/TableThrottled.md', 'utf8')).toMatch(/Contributor Insights/);
});

function alarms(from: Template): Resource['Properties'][] {
  return resourcesOf(from, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
}

/** By the page of its runbook. */
function alarmOf(runbook: string, from = template): Resource['Properties'] {
  return alarms(from).find(({ AlarmDescription }) => AlarmDescription.endsWith(`/${runbook}.md`));
}

/** The metrics of each graph, by its title. A reference is the id of its resource. */
function graphs(): Record<string, string[][]> {
  const { DashboardBody } = onlyResource(template, 'AWS::CloudWatch::Dashboard').Properties;
  const [, parts]: [string, (string | { Ref: string })[]] = DashboardBody['Fn::Join'];
  const { widgets } = JSON.parse(parts.map((part) => (typeof part === 'string' ? part : part.Ref)).join(''));
  return Object.fromEntries(
    widgets.map(({ properties }: { properties: { title: string; metrics: string[][] } }) => [
      properties.title,
      properties.metrics,
    ]),
  );
}

function onlyMetricOf(runbook: string, from = template): NonNullable<MetricQuery['MetricStat']> {
  const [{ MetricStat }, ...others]: [MetricQuery, ...MetricQuery[]] = alarmOf(runbook, from).Metrics;
  expect(others).toEqual([]);
  return MetricStat!;
}

function filtersNamed(metric: string): Resource['Properties'][] {
  return resourcesOf(template, 'AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => Properties)
    .filter(({ MetricTransformations }) => MetricTransformations[0].MetricName === metric);
}
