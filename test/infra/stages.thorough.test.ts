import { describe, expect, test } from 'vitest';
import { alarmsOutput, deploymentAlarms } from '#lib/deployment/deploy-arguments.ts';
import { loadStage } from '#lib/stage.ts';
import { serviceApp, stackNameOf } from '#lib/synthesize.ts';
import { keyRateLimits } from '#schemas/catalogues/limits.ts';
import { familyNames } from '#schemas/families/index.ts';
import { emptyBundles, newFolder, newStack, resourcesOf, synthesize, type Template } from './synthesis.ts';

const settings = { staticEgress: true, alarmEmail: 'on-call@example.com' };
const stages = ['dev', 'prod'].map((stage) => ({ stage, template: synthesize(settings, stackNameOf(stage)) }));
const [dev, prod] = stages.map(({ template }) => template) as [Template, Template];

/** Names within a resource of the stack, or of things that the service does not create. */
const inner = new Set([
  'AWS::ApiGateway::Stage StageName',
  'AWS::CloudFront::Distribution HeaderName',
  'AWS::DynamoDB::GlobalTable AttributeName',
  'AWS::DynamoDB::GlobalTable IndexName',
  'AWS::EC2::VPCEndpoint ServiceName',
  // Inline policies of one role.
  'AWS::IAM::Policy PolicyName',
  'AWS::IAM::Role PolicyName',
  'AWS::CloudWatch::Alarm MetricName',
  // In the namespace of the stage.
  'AWS::Logs::MetricFilter MetricName',
  // Of a dimension.
  'AWS::CloudWatch::Alarm Name',
]);

describe('two stages in one account and region', () => {
  test('share no name', () => {
    const taken = new Set(namesIn(dev).map(({ text }) => text));
    expect(namesIn(prod).filter(({ text }) => taken.has(text))).toEqual([]);
  });

  test('export nothing under a name', () => {
    for (const { template } of stages) {
      expect(Object.values(template.Outputs).filter((output) => 'Export' in output)).toEqual([]);
    }
  });

  test('count under different names, so that one does not ring the alarms of the other', () => {
    for (const { stage, template } of stages) {
      const counting = JSON.stringify(template).match(
        /"(POWERTOOLS_METRICS_NAMESPACE|Namespace|MetricNamespace)":"(?!AWS\/)[^"]*"/g,
      )!;
      expect(counting).not.toEqual([]);
      expect(counting.filter((text) => !text.endsWith(`:"PostPurchase-${stage}"`))).toEqual([]);
      const [, { Properties: api }] = resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]!;
      expect([api.Name, api.Body.info.title]).toEqual([`PostPurchase-${stage}`, `PostPurchase-${stage}`]);
    }
  });

  test('share one setting, the role by which API Gateway writes logs, which stays when either is deleted', () => {
    for (const { template } of stages) {
      const [, account] = resourcesOf(template, 'AWS::ApiGateway::Account')[0]!;
      const role = template.Resources[account.Properties.CloudWatchRoleArn['Fn::GetAtt'][0]];
      expect([account.DeletionPolicy, role?.DeletionPolicy]).toEqual(['Retain', 'Retain']);
    }
  });
});

test('what is named once in an account has the stage and the region in its name', () => {
  for (const { stage, template } of stages) {
    const accountWide = namesIn(template).filter(({ type }) =>
      /^AWS::(CloudFront|IAM)::|^AWS::CloudWatch::Dashboard$/.test(type),
    );
    expect(accountWide.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['AWS::CloudFront::OriginAccessControl', 'AWS::CloudFront::ResponseHeadersPolicy']),
    );
    for (const { text } of accountWide) {
      expect(text).toContain(`PostPurchase-${stage}-`);
      expect(text).toContain('{"Ref":"AWS::Region"}');
    }
  }
});

test('CloudFormation deletes no stack of a protected stage', () => {
  expect(newStack({ isProtected: true }).stack.terminationProtection).toBe(true);
  expect(newStack().stack.terminationProtection).toBe(false);
});

test('a protected stage names the alarms that take a deployment back, and they are there', () => {
  const template = synthesize({ isProtected: true });
  const named = JSON.stringify(template.Outputs[alarmsOutput]?.Value);
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([id]) => id);
  for (const name of deploymentAlarms) {
    const [id] = alarms.filter((one) => one.startsWith(`Alarms${name}`));
    expect(id, name).toBeDefined();
    expect(named).toContain(id);
  }
  expect(dev.Outputs[alarmsOutput]).toBeUndefined();
});

test('prod is protected', async () => {
  expect((await loadStage('prod')).isProtected).toBe(true);
});

test('the stage of the local stack cannot be deployed', async () => {
  const deployed = serviceApp({
    isDeployed: true,
    outdir: newFolder('assembly-'),
    context: { stage: 'local', bundled: 'true' },
  });
  await expect(deployed).rejects.toThrow(/^The stage "local" is that of npm start/);
});

test('a stage that is deployed without an address for alarms is warned, in one sentence', async () => {
  const app = await serviceApp({
    isDeployed: true,
    outdir: newFolder('assembly-'),
    bundles: emptyBundles(),
    context: { stage: 'dev', bundled: 'true' },
  });
  const metadata = app.node.findAll().flatMap(({ node }) => node.metadata);
  const warnings = metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => String(data));
  expect(warnings).toEqual([
    expect.stringMatching(/^Nobody is told when an alarm fires: set alarmEmail in lib\/stages\/dev\.ts\./),
  ]);
});

test('the logs of a stage are kept as long as it says', () => {
  const retentions = (template: Template) =>
    new Set(resourcesOf(template, 'AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.RetentionInDays));
  expect(retentions(synthesize({ ...settings, logRetentionDays: 7 }))).toEqual(new Set([7]));
  expect(retentions(dev)).toEqual(new Set([30]));
});

test('the table of a stage is warm as it says, and otherwise as every new table', () => {
  const warmThroughput = { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 12_000 };
  const tableOf = (template: Template) => resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0]![1].Properties;
  expect(tableOf(synthesize({ ...settings, warmThroughput })).WarmThroughput).toEqual({
    ReadUnitsPerSecond: 24_000,
    WriteUnitsPerSecond: 12_000,
  });
  expect(tableOf(dev).WarmThroughput).toBeUndefined();
});

test('a stage says from which level on its functions log, and Lambda always logs how each invocation ended', () => {
  const levels = (template: Template) => {
    const own = resourcesOf(template, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.Environment?.Variables.POWERTOOLS_SERVICE_NAME,
    );
    return new Set(
      own.map(([, { Properties }]) =>
        [Properties.Environment.Variables.POWERTOOLS_LOG_LEVEL, Properties.LoggingConfig.SystemLogLevel].join(),
      ),
    );
  };
  expect(levels(synthesize({ ...settings, logLevel: 'WARN' }))).toEqual(new Set(['WARN,INFO']));
  expect(levels(dev)).toEqual(new Set(['INFO,INFO']));
});

test('every function that checks keys limits them, as the stage says or as the catalogue does', () => {
  const rates = (template: Template) =>
    resourcesOf(template, 'AWS::Lambda::Function')
      .map(([, { Properties }]) => Properties.Environment?.Variables ?? {})
      .filter(({ TABLE_NAME, POWERTOOLS_SERVICE_NAME }) => TABLE_NAME && familyNames.includes(POWERTOOLS_SERVICE_NAME))
      .map(({ KEY_RATE }) => KEY_RATE);
  const own = { unitsPerSecond: 7, burst: 8, uncounted: 9 };
  const { unitsPerSecond, burst, uncounted } = keyRateLimits;
  expect(new Set(rates(dev))).toEqual(new Set([JSON.stringify({ unitsPerSecond, burst, uncounted })]));
  expect(new Set(rates(synthesize({ ...settings, keyRate: own })))).toEqual(new Set([JSON.stringify(own)]));
});

test('every function with the table spreads shipments, if the stage says so, and no other does', () => {
  const spread = (template: Template) =>
    resourcesOf(template, 'AWS::Lambda::Function')
      .map(([, { Properties }]) => Properties.Environment?.Variables ?? {})
      .map(({ TABLE_NAME, SPREAD_SHIPMENTS }) => [TABLE_NAME !== undefined, SPREAD_SHIPMENTS].join());
  expect(new Set(spread(synthesize({ ...settings, spreadsShipments: true })))).toEqual(
    new Set(['true,true', 'false,']),
  );
  expect(new Set(spread(dev))).toEqual(new Set(['true,', 'false,']));
});

test('no function has a level of Lambda for its own lines, which would drop the metrics among them', () => {
  const functions = resourcesOf(prod, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
  expect(functions.filter(({ LoggingConfig }) => LoggingConfig?.ApplicationLogLevel)).toEqual([]);
});

interface Name {
  type: string;
  property: string;
  /** The value as JSON. */
  text: string;
}

/** The names that a template gives, and does not leave to CloudFormation, which makes each up from the stack's name. */
function namesIn(template: Template): Name[] {
  return Object.values(template.Resources).flatMap(({ Type, Properties }) =>
    givenNames(Properties)
      .filter(({ property }) => !inner.has(`${Type} ${property}`))
      .map((name) => ({ type: Type, ...name })),
  );
}

function givenNames(value: unknown): { property: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([property, inside]) =>
    /^(Name|[A-Z]\w*Name)$/.test(property) && isGiven(inside)
      ? [{ property, text: JSON.stringify(inside) }]
      : givenNames(property === 'Body' ? undefined : inside),
  );
}

/** A name that refers to a resource is that one's; only the values of the account and the region are not. */
const isGiven = (value: unknown): boolean => !/"Fn::GetAtt":|"Ref":"(?!AWS::)/.test(JSON.stringify(value));
