import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type OutgoingMail, sendMail } from '#platform/lazy/ses.ts';

const ses = mockClient(SESv2Client);

const mail: OutgoingMail = {
  fromName: 'Größe',
  to: 'ada@example.com',
  replyTo: 'help@shop.example',
  subject: 'Your parcel is on its way',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'List-Unsubscribe': '<https://api.example.com/u/x>' },
  tags: { delivery: 'd-1', shop: 'shoes' },
};

const send = (changes: Partial<OutgoingMail> = {}, deadlineMs = 1000) =>
  sendMail({ ...mail, ...changes }, { deadlineMs });

const named = (name: string, more: object = {}) => Object.assign(new Error('about ada@example.com'), { name, ...more });

beforeEach(() => {
  ses.reset();
  vi.stubEnv('EMAIL_FROM', 'post@mail.example.com');
  vi.stubEnv('EMAIL_CONFIGURATION_SET', 'set-1');
});

describe('a mail to SES', () => {
  it('is sent with its headers, its tags and the configuration set of the deployment', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
    expect(await send()).toEqual({ messageId: 'm-1' });
    expect(ses.commandCalls(SendEmailCommand)[0]!.args[0].input).toEqual({
      FromEmailAddress: '=?UTF-8?B?R3LDtsOfZQ==?= <post@mail.example.com>',
      Destination: { ToAddresses: ['ada@example.com'] },
      ReplyToAddresses: ['help@shop.example'],
      ConfigurationSetName: 'set-1',
      Content: {
        Simple: {
          Subject: { Data: 'Your parcel is on its way', Charset: 'UTF-8' },
          Body: { Html: { Data: '<p>Hello</p>', Charset: 'UTF-8' }, Text: { Data: 'Hello', Charset: 'UTF-8' } },
          Headers: [{ Name: 'List-Unsubscribe', Value: '<https://api.example.com/u/x>' }],
        },
      },
      EmailTags: [
        { Name: 'delivery', Value: 'd-1' },
        { Name: 'shop', Value: 'shoes' },
      ],
    });
  });

  it('is not tried where the deployment names no sender', async () => {
    vi.stubEnv('EMAIL_FROM', '');
    expect(await send()).toEqual({ error: 'no_sender', isFinal: true });
    expect(ses.calls()).toHaveLength(0);
  });

  it.each([
    ['MessageRejected', { error: 'message_rejected', isFinal: true }],
    ['BadRequestException', { error: 'bad_request', isFinal: true }],
    ['TooManyRequestsException', { error: 'throttled', isThrottled: true }],
    ['LimitExceededException', { error: 'daily_quota_exceeded', isThrottled: true }],
    ['SendingPausedException', { error: 'sending_paused' }],
    ['MailFromDomainNotVerifiedException', { error: 'domain_not_verified' }],
  ])('tells what %s means', async (name, result) => {
    ses.on(SendEmailCommand).rejects(named(name, { $metadata: { httpStatusCode: 400 } }));
    expect(await send()).toEqual(result);
  });

  it.each([
    ['an answer that did not come', named('TimeoutError'), 'timeout'],
    ['a lost connection', named('Error', { code: 'ECONNRESET' }), 'connection_failed'],
    ['a failure of SES', named('InternalFailure', { $metadata: { httpStatusCode: 503 } }), 'http_503'],
  ])('may have been taken after %s', async (_case, error, word) => {
    ses.on(SendEmailCommand).rejects(error);
    expect(await send()).toEqual({ error: word, isUnknown: true });
  });

  it('was not taken if there was no connection', async () => {
    ses.on(SendEmailCommand).rejects(named('Error', { code: 'ECONNREFUSED' }));
    expect(await send()).toEqual({ error: 'connection_refused' });
  });

  it('ends at its deadline', async () => {
    ses.on(SendEmailCommand).callsFake(() => new Promise(() => {}));
    const sent = send({}, 20);
    expect(await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 2000, 'never'))])).toEqual({
      error: 'timeout',
      isUnknown: true,
    });
  });
});
