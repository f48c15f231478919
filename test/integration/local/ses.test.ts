import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { firstDenied } from '#lib/local/iam/evaluate.ts';
import { readStatements } from '#lib/local/iam/policies.ts';
import { sesAccesses } from '#lib/local/iam/ses-request.ts';
import { openMails } from '#lib/local/ses/kept-mails.ts';
import { MailboxPage } from '#lib/local/ses/mailbox-page.ts';
import type { SendEmail } from '#lib/local/ses/send-email.ts';
import { openSes } from '#lib/local/ses/ses.ts';
import { resolveStack } from '#lib/local/template/template.ts';
import { mailReportIn } from '#pipeline/email-events/mail-report.ts';

const template = {
  Resources: {
    Mails: { Type: 'AWS::SES::ConfigurationSet' },
    Identity: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'shops.example' } },
    Events: { Type: 'AWS::SQS::Queue' },
    ToBus: {
      Type: 'AWS::SES::ConfigurationSetEventDestination',
      Properties: {
        ConfigurationSetName: { Ref: 'Mails' },
        EventDestination: {
          MatchingEventTypes: ['bounce', 'complaint'],
          EventBridgeDestination: { EventBusArn: 'arn:aws:events:eu-central-1:000000000000:event-bus/default' },
        },
      },
    },
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventPattern: {
          source: ['aws.ses'],
          detail: { mail: { tags: { 'ses:configuration-set': [{ Ref: 'Mails' }] } } },
        },
        Targets: [{ Arn: { 'Fn::GetAtt': ['Events', 'Arn'] } }],
      },
    },
  },
};

const stackOf = (Resources: object) => ({
  ...resolveStack({ Resources } as Parameters<typeof resolveStack>[0], 'S', 'http://127.0.0.1:1'),
  assetFolder: () => '',
});

function started() {
  const messages: { arn: string; body: string }[] = [];
  const ses = openSes(stackOf(template.Resources), undefined, async (arn, body) => messages.push({ arn, body }))!;
  return { ses, messages, send: (changes: SendEmail = {}) => ses.perform('SendEmail', { ...request, ...changes }) };
}

const request: SendEmail = {
  FromEmailAddress: '"A shop" <post@shops.example>',
  Destination: { ToAddresses: ['ada@example.com'] },
  ConfigurationSetName: 'S-Mails',
  Content: {
    Simple: {
      Subject: { Data: 'On its way' },
      Body: {
        Html: { Data: '<html><head></head><body>Hello<script>alert(1)</script></body></html>' },
        Text: { Data: 'Hello' },
      },
      Headers: [{ Name: 'List-Unsubscribe', Value: '<https://api.example.com/u/x>' }],
    },
  },
  EmailTags: [
    { Name: 'shop', Value: 'shoes' },
    { Name: 'order', Value: 'o-1' },
    { Name: 'delivery', Value: 'd-1' },
  ],
};

describe('the emulator of SES', () => {
  test('runs only for a template that sends mails', () => {
    expect(openSes(stackOf({}), undefined, async () => {})).toBeUndefined();
  });

  test('keeps what was sent, newest first', async () => {
    const { ses, send } = started();
    await send();
    const { MessageId } = (await send({ Destination: { ToAddresses: ['Bob <bob@example.com>'] } })) as {
      MessageId: string;
    };
    expect(ses.mails.list().map(({ to }) => to)).toEqual(['bob@example.com', 'ada@example.com']);
    expect(ses.mails.find(MessageId)).toMatchObject({
      subject: 'On its way',
      text: 'Hello',
      headers: { From: '"A shop" <post@shops.example>', 'List-Unsubscribe': '<https://api.example.com/u/x>' },
      tags: { shop: 'shoes', order: 'o-1', delivery: 'd-1' },
    });
  });

  test('keeps a thousand at most', () => {
    const mails = openMails(undefined);
    for (let i = 0; i < 1010; i++) {
      mails.add({ id: `m${i}`, at: '', from: '', to: '', subject: '', html: '', text: '', headers: {}, tags: {} });
    }
    expect(mails.list()).toHaveLength(1000);
    expect([mails.find('m9'), mails.find('m10')?.id]).toEqual([undefined, 'm10']);
  });

  test.each<[string, SendEmail, string]>([
    ['an address that is none', { Destination: { ToAddresses: ['ada'] } }, 'BadRequestException'],
    ['no receiver', { Destination: {} }, 'BadRequestException'],
    ['no content', { Content: {} }, 'BadRequestException'],
    ['a name that is not encoded', { FromEmailAddress: 'Größe <post@shops.example>' }, 'BadRequestException'],
    ['a tag with a space', { EmailTags: [{ Name: 'shop', Value: 'a b' }] }, 'BadRequestException'],
    ['a sender that it does not know', { FromEmailAddress: 'post@evil.example' }, 'MessageRejected'],
    ['a configuration set that is not there', { ConfigurationSetName: 'Other' }, 'NotFoundException'],
  ])('refuses %s', async (_case, changes, name) => {
    const { ses, send } = started();
    await expect(send(changes)).rejects.toMatchObject({ name });
    expect(ses.mails.list()).toEqual([]);
  });

  test.each([
    ['bounce@simulator.amazonses.com', { kind: 'bounce' }, 'bounce'],
    ['bounce+7@simulator.amazonses.com', { kind: 'bounce' }, 'bounce'],
    ['suppressionlist@simulator.amazonses.com', { kind: 'bounce' }, 'bounce'],
    ['complaint@simulator.amazonses.com', { kind: 'complaint' }, 'complaint'],
  ])(
    'reports of %s what the mailbox simulator does, in a form that the service reads',
    async (to, feedback, reason) => {
      const { messages, send } = started();
      await send({ Destination: { ToAddresses: [to] } });
      expect(messages.map(({ arn }) => arn)).toEqual(['arn:aws:sqs:eu-central-1:000000000000:S-Events']);
      expect(mailReportIn(messages[0]!.body)).toMatchObject({
        shop: 'shoes',
        order: 'o-1',
        delivery: 'd-1',
        address: to,
        feedback,
        suppresses: reason,
      });
    },
  );

  test.each(['success@simulator.amazonses.com', 'ooto@simulator.amazonses.com', 'ada@example.com'])(
    'reports nothing of %s',
    async (to) => {
      const { messages, send } = started();
      await send({ Destination: { ToAddresses: [to] } });
      expect(messages).toEqual([]);
    },
  );
});

describe('a request to SES', () => {
  const arn = (rest: string) => `arn:aws:ses:eu-central-1:000000000000:${rest}`;
  const allowed = (Resource: string[], from = 'post@shops.example') =>
    readStatements({
      Statement: {
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Resource,
        Condition: { StringEquals: { 'ses:FromAddress': from } },
      },
    });
  const accesses = sesAccesses('SendEmail', request as Record<string, unknown>);
  const [identity, set] = [arn('identity/shops.example'), arn('configuration-set/S-Mails')];

  test('needs the right to send as its sender and with its configuration set', () => {
    expect(firstDenied(allowed([identity, set]), accesses)).toBeUndefined();
    expect(firstDenied(allowed([identity]), accesses)?.resource).toBe(set);
    expect(firstDenied(allowed([set]), accesses)?.resource).toBe(identity);
    expect(firstDenied(allowed([identity, set], 'other@shops.example'), accesses)?.resource).toBe(identity);
  });
});

describe('the mailbox', () => {
  const open = (page: MailboxPage, url: string) => {
    const shown = { status: 0, headers: {} as Record<string, string>, body: '' };
    const response = {
      writeHead: (status: number, headers: Record<string, string>) => Object.assign(shown, { status, headers }),
      end: (body: string) => Object.assign(shown, { body }),
    };
    const isAnswered = page.answer({ method: 'GET', url } as IncomingMessage, response as unknown as ServerResponse);
    return { isAnswered, ...shown };
  };

  test('says that there is nothing yet', () => {
    const { ses } = started();
    expect(open(new MailboxPage(ses.mails), '/mail')).toMatchObject({
      status: 200,
      body: expect.stringContaining('No mail yet'),
    });
  });

  test('lists mails, and shows one so that nothing of it runs', async () => {
    const { ses, send } = started();
    const { MessageId } = (await send()) as { MessageId: string };
    const page = new MailboxPage(ses.mails);
    expect(open(page, '/mail?x=1').body).toContain(`href="/mail/${MessageId}"`);
    const { body, headers } = open(page, `/mail/${MessageId}`);
    expect(body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(body).not.toContain('<script');
    expect(body).toContain('List-Unsubscribe');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('knows no other page', () => {
    const page = new MailboxPage(started().ses.mails);
    expect(open(page, '/mailing').isAnswered).toBe(false);
    expect(open(page, '/mail/x').status).toBe(404);
  });
});
