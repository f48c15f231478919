import { describe, expect, test } from 'vitest';
import { allowedByRoleOf } from './statements.ts';
import { functionIds, onlyResource, pipelineIds, resourcesOf, synthesize } from './synthesis.ts';

const from = 'post@mail.example.com';
const template = synthesize({ email: { from, maxPerSecond: 30 } });
const without = synthesize();

const variablesOf = (id: string) => template.Resources[id]!.Properties.Environment.Variables;
const [setId] = resourcesOf(template, 'AWS::SES::ConfigurationSet')[0]!;

describe('a stage that names no sender', () => {
  test('has nothing of SES, and no function knows of mails', () => {
    expect(Object.values(without.Resources).filter(({ Type }) => Type.startsWith('AWS::SES::'))).toEqual([]);
    expect(
      Object.keys(without.Resources).filter((id) => id.startsWith('Emails') && !id.startsWith('EmailsApi')),
    ).toEqual([]);
    expect(JSON.stringify(without)).not.toMatch(/EMAIL_|ses:SendEmail/);
  });
});

describe('the sender of a stage', () => {
  test('is an identity of its domain, unless SES has one already', () => {
    expect(onlyResource(template, 'AWS::SES::EmailIdentity').Properties.EmailIdentity).toBe('mail.example.com');
    expect(JSON.stringify(template.Outputs.EmailDnsRecords)).toContain('DkimDNSTokenName1');
    const known = synthesize({ email: { from, hasIdentity: true } });
    expect(resourcesOf(known, 'AWS::SES::EmailIdentity')).toEqual([]);
    expect(resourcesOf(known, 'AWS::SES::ConfigurationSet')).toHaveLength(1);
  });

  test('is told to the function that delivers, with its pace', () => {
    expect(variablesOf(pipelineIds(template).delivery!)).toMatchObject({
      EMAIL_FROM: from,
      EMAIL_MAX_PER_SECOND: '30',
      EMAIL_CONFIGURATION_SET: { Ref: setId },
    });
    expect(variablesOf(pipelineIds(template)['fan-out']!)).toMatchObject({ EMAIL_FROM: from });
  });

  test('is all that a function may send as, and only those may that send mails', () => {
    const ids = { ...functionIds(template), ...pipelineIds(template) };
    const sending = Object.entries(ids).flatMap(([name, id]) =>
      allowedByRoleOf(template, id)
        .filter(({ actions }) => actions.some((action) => action.startsWith('ses:')))
        .map((statement) => ({ name, ...statement })),
    );
    expect(sending.map(({ name }) => name).toSorted()).toEqual(senders);
    for (const { actions, resources, conditions } of sending) {
      expect(actions).toEqual(['ses:SendEmail']);
      expect(conditions).toEqual({ StringEquals: { 'ses:FromAddress': from } });
      const named = JSON.stringify(resources);
      expect(named).toContain(':identity/mail.example.com"');
      expect(named).toContain(':configuration-set/');
      expect(named).not.toContain('*');
    }
  });
});

const senders = ['delivery', 'emails'];

describe('what SES reports', () => {
  test('is bounces, complaints, delays and rejections of our own configuration set', () => {
    const { EventDestination } = onlyResource(template, 'AWS::SES::ConfigurationSetEventDestination').Properties;
    expect(EventDestination.MatchingEventTypes).toEqual(['bounce', 'complaint', 'deliveryDelay', 'reject']);
    expect(JSON.stringify(EventDestination.EventBridgeDestination)).toContain('event-bus/default');
    const [, rule] = resourcesOf(template, 'AWS::Events::Rule').find(([id]) => id.startsWith('Emails'))!;
    expect(rule.Properties.EventPattern).toMatchObject({
      source: ['aws.ses'],
      detail: { mail: { tags: { 'ses:configuration-set': [{ Ref: setId }] } } },
    });
  });

  test('comes to a queue that the bus may write to, and that one function reads', () => {
    const [ruleId, rule] = resourcesOf(template, 'AWS::Events::Rule').find(([id]) => id.startsWith('Emails'))!;
    const arn = rule.Properties.Targets[0].Arn;
    expect(arn['Fn::GetAtt'][0]).toMatch(/^EmailsEvents/);
    const policies = resourcesOf(template, 'AWS::SQS::QueuePolicy').map(([, { Properties }]) => Properties);
    const policy = policies.find(({ Queues }) => Queues[0].Ref === arn['Fn::GetAtt'][0])!;
    expect(policy.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Principal: { Service: 'events.amazonaws.com' },
        Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [ruleId, 'Arn'] } } },
      }),
    );
    const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
    const readers = mappings.filter(({ EventSourceArn }) => JSON.stringify(EventSourceArn) === JSON.stringify(arn));
    expect(readers.map(({ FunctionName }) => FunctionName.Ref)).toEqual([pipelineIds(template)['email-events']]);
  });

  test('rings at five of a hundred bounces and one of a thousand complaints', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const limits = alarms.flatMap(({ Metrics, Threshold }) => {
      const { Metric } = Metrics?.[0].MetricStat ?? {};
      return Metric?.Namespace === 'AWS/SES' ? [{ ...Metric, Threshold }] : [];
    });
    const Dimensions = [{ Name: 'ses:configuration-set', Value: { Ref: setId } }];
    expect(limits).toEqual([
      { Namespace: 'AWS/SES', MetricName: 'Reputation.BounceRate', Threshold: 0.05, Dimensions },
      { Namespace: 'AWS/SES', MetricName: 'Reputation.ComplaintRate', Threshold: 0.001, Dimensions },
    ]);
  });
});
