import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { clientOptions } from '#platform/aws-client.ts';
import { mailboxOf } from '#platform/mailbox.ts';

/** Sends once: after an answer that was lost, a second request would be a second mail. */
const client = new SESv2Client({ ...clientOptions, maxAttempts: 1 });

export interface OutgoingMail {
  /** Whom the mail shows as its sender. */
  fromName: string;
  to: string;
  replyTo: string | null;
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
  /** Come back with what SES reports about the mail. Nothing personal: SES shows them in its metrics. */
  tags: MailTags;
}

/** What the mail is about. A test mail is about no order. */
export interface MailTags {
  shop: string;
  /** The uuid of the order. */
  order?: string;
  delivery?: string;
}

/** SES took the mail, or the reason why not, as a short code. */
export type MailResult = { messageId: string } | MailFailure;

export interface MailFailure {
  error: string;
  /** The same mail will never be taken. */
  isFinal?: true;
  /** SES takes no more mails now: of a second, or of the day. */
  isThrottled?: true;
  /** SES may have taken the mail: its answer did not come, or was that of a failure of its own. */
  isUnknown?: true;
}

/** Never throws, and keeps nothing of the mail. */
export async function sendMail(mail: OutgoingMail, { deadlineMs }: { deadlineMs: number }): Promise<MailResult> {
  const from = process.env.EMAIL_FROM;
  if (!from) return { error: 'no_sender', isFinal: true };
  const deadline = new AbortController();
  const passed = Promise.withResolvers<MailResult>();
  const timer = setTimeout(() => {
    passed.resolve({ error: 'timeout', isUnknown: true });
    deadline.abort();
  }, deadlineMs);
  // The SDK looks at the signal only while the request is under way.
  const sent = client.send(commandOf(mail, from), { abortSignal: deadline.signal }).then(
    ({ MessageId = '' }) => ({ messageId: MessageId }),
    (error: Error) => failureOf(error),
  );
  return Promise.race([sent, passed.promise]).finally(() => clearTimeout(timer));
}

function commandOf(mail: OutgoingMail, from: string): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: mailboxOf(mail.fromName, from),
    Destination: { ToAddresses: [mail.to] },
    ReplyToAddresses: mail.replyTo === null ? undefined : [mail.replyTo],
    ConfigurationSetName: process.env.EMAIL_CONFIGURATION_SET || undefined,
    Content: {
      Simple: {
        Subject: inUtf8(mail.subject),
        Body: { Html: inUtf8(mail.html), Text: inUtf8(mail.text) },
        Headers: Object.entries(mail.headers).map(([Name, Value]) => ({ Name, Value })),
      },
    },
    EmailTags: Object.entries(mail.tags).map(([Name, Value]) => ({ Name, Value })),
  });
}

const inUtf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/**
 * What SES says when it takes no mail: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors.
 * An account that is paused or suspended and a domain that is not verified are faults of the deployment, which an operator
 * mends: those mails are sent later. What is wrong with the mail itself stays wrong.
 */
const refusals: Record<string, MailFailure> = {
  MessageRejected: { error: 'message_rejected', isFinal: true },
  BadRequestException: { error: 'bad_request', isFinal: true },
  TooManyRequestsException: { error: 'throttled', isThrottled: true },
  ThrottlingException: { error: 'throttled', isThrottled: true },
  LimitExceededException: { error: 'daily_quota_exceeded', isThrottled: true },
  MailFromDomainNotVerifiedException: { error: 'domain_not_verified' },
  AccountSuspendedException: { error: 'account_suspended' },
  SendingPausedException: { error: 'sending_paused' },
  NotFoundException: { error: 'configuration_not_found' },
  AccessDeniedException: { error: 'access_denied' },
};

/** The request never left: there was no connection. */
const neverSent: Record<string, string> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_server_failed',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
};

interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

function failureOf({ name, code, $metadata }: SdkError): MailFailure {
  const refusal = refusals[name];
  if (refusal) return refusal;
  const status = $metadata?.httpStatusCode;
  if (status === 429) return { error: 'throttled', isThrottled: true };
  if (status !== undefined && status >= 400 && status < 500) return { error: `http_${status}` };
  if (status !== undefined) return { error: `http_${status}`, isUnknown: true };
  const word = neverSent[code ?? ''];
  if (word) return { error: word };
  if (name === 'CredentialsProviderError') return { error: 'no_credentials' };
  return { error: name === 'AbortError' || name === 'TimeoutError' ? 'timeout' : 'connection_failed', isUnknown: true };
}
