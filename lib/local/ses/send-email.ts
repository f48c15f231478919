import { AwsError } from '../aws/aws-error.ts';

/** The parts of a request of SendEmail that the functions use: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html. */
export interface SendEmail {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  ReplyToAddresses?: string[];
  ConfigurationSetName?: string;
  Content?: { Simple?: SimpleContent };
  EmailTags?: { Name: string; Value: string }[];
}

interface SimpleContent {
  Subject?: Text;
  Body?: { Html?: Text; Text?: Text };
  Headers?: { Name: string; Value: string }[];
}

interface Text {
  Data?: string;
}

/** A mail as the mailbox keeps it. */
export interface SentMail {
  id: string;
  at: string;
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Also those that SES would write itself. */
  headers: Record<string, string>;
  tags: Record<string, string>;
}

export interface KnownToSes {
  /** Domains that SES takes mails from. Empty if the template makes none: then any. */
  domains: readonly string[];
  configurationSets: readonly string[];
}

const maxBytes = 10 * 1024 * 1024;

/** Refuses what SES refuses. */
export function acceptedMail(request: SendEmail, known: KnownToSes, id: string, now: Date): SentMail {
  const { FromEmailAddress: from = '', Content, ConfigurationSetName: set } = request;
  const { Subject, Body, Headers = [] } = Content?.Simple ?? {};
  const to = onlyReceiver(request);
  if (Subject?.Data === undefined || (Body?.Html?.Data ?? Body?.Text?.Data) === undefined) {
    throw refused('The message must have a subject and a body.');
  }
  if (Buffer.byteLength(JSON.stringify(Content)) > maxBytes) throw refused('The message is too long.');
  if (!isAscii(from)) throw refused('Local address contains control or whitespace');
  if (!isKnownSender(addressIn(from), known)) {
    throw new AwsError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check: ${addressIn(from)}`,
    );
  }
  if (set !== undefined && !known.configurationSets.includes(set)) {
    throw new AwsError('NotFoundException', `Configuration set <${set}> does not exist.`, 404);
  }
  return {
    id,
    at: now.toISOString(),
    from,
    to,
    subject: Subject.Data,
    html: Body?.Html?.Data ?? '',
    text: Body?.Text?.Data ?? '',
    headers: headersOf(request, Headers),
    tags: tagsOf(request),
  };
}

const refused = (message: string) => new AwsError('BadRequestException', message);

function onlyReceiver({ Destination: { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = {} }: SendEmail) {
  const [to, ...others] = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  if (to === undefined) throw refused('At least one recipient must be given.');
  if (others.length > 0) throw refused('The local stack sends a mail to one recipient.');
  if (!isAscii(to) || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(addressIn(to))) throw refused("Missing final '@domain'");
  return addressIn(to);
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** The address of `Name <address>`. */
export const addressIn = (mailbox: string): string => /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();

const isKnownSender = (address: string, { domains }: KnownToSes): boolean =>
  domains.length === 0 || domains.some((domain) => address.toLowerCase().endsWith(`@${domain.toLowerCase()}`));

/** Of a header SES takes at most 126 and 870 letters: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html. */
function headersOf({ FromEmailAddress, Destination, ReplyToAddresses = [], Content }: SendEmail, own: Header[]) {
  for (const { Name, Value } of own) {
    if (!/^[\x21-\x39\x3b-\x7e]{1,126}$/.test(Name)) throw refused(`Invalid header name: ${Name}`);
    if (!/^[\x20-\x7e\t]{1,870}$/.test(Value)) throw refused(`Invalid value of the header ${Name}.`);
  }
  return {
    From: FromEmailAddress ?? '',
    To: Destination?.ToAddresses?.join(', ') ?? '',
    ...(ReplyToAddresses.length > 0 && { 'Reply-To': ReplyToAddresses.join(', ') }),
    Subject: Content?.Simple?.Subject?.Data ?? '',
    ...Object.fromEntries(own.map(({ Name, Value }) => [Name, Value])),
  };
}

type Header = { Name: string; Value: string };

function tagsOf({ EmailTags = [] }: SendEmail): Record<string, string> {
  for (const { Name, Value } of EmailTags) {
    if (!/^[\w-]{1,256}$/.test(Name) || !/^[\w.@-]{1,256}$/.test(Value)) throw refused(`Invalid tag: ${Name}`);
  }
  return Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]));
}
