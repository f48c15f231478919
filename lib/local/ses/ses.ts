import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AwsError } from '../aws/aws-error.ts';
import { matches, type Pattern } from '../functions/event-sources/filter.ts';
import type { StackTemplate } from '../template/template.ts';
import { type KeptMails, openMails } from './kept-mails.ts';
import { type SesEvent, simulatedEvent } from './mailbox-simulator.ts';
import { acceptedMail, type KnownToSes, type SendEmail } from './send-email.ts';

/** SES with SendEmail. Mails go nowhere: they are kept, and shown at /mail. */
export interface Ses {
  mails: KeptMails;
  perform(operation: string, input: Record<string, unknown>): Promise<object>;
}

/** Puts a message on the queue with this ARN. */
export type SendToQueue = (arn: string, body: string) => Promise<unknown>;

/** Undefined if the template has no configuration set: then the service sends no mails. */
export function openSes(stack: StackTemplate, dataDir: string | undefined, send: SendToQueue): Ses | undefined {
  const configurationSets = stack.resources('AWS::SES::ConfigurationSet').map(({ ref }) => ref);
  if (configurationSets.length === 0) return undefined;
  const domains = stack.resources('AWS::SES::EmailIdentity').map(({ properties }) => String(properties.EmailIdentity));
  const known: KnownToSes = { domains, configurationSets };
  const publish = publisher(stack, send);
  const mails = openMails(dataDir === undefined ? undefined : join(dataDir, 'mails.sqlite'));

  const sendEmail = async (request: SendEmail): Promise<object> => {
    const mail = acceptedMail(request, known, `${Date.now().toString(16)}-${randomUUID()}-000000`, new Date());
    mails.add(mail);
    const { ConfigurationSetName: set } = request;
    const reported = simulatedEvent(mail, set, new Date());
    if (reported && set !== undefined) await publish(set, reported);
    return { MessageId: mail.id };
  };

  return {
    mails,
    perform: (operation, input) => {
      if (operation === 'SendEmail') return sendEmail(input);
      throw new AwsError('UnknownOperationException', `The local stack does not run ${operation} of SES.`);
    },
  };
}

interface Destination {
  ConfigurationSetName: string;
  EventDestination: { Enabled?: boolean; MatchingEventTypes: string[]; EventBridgeDestination?: object };
}

interface EventRule {
  EventPattern?: Pattern;
  State?: string;
  Targets?: { Arn: string }[];
}

/** The destinations of configuration sets lead to the bus, and its rules lead to queues. */
function publisher(stack: StackTemplate, send: SendToQueue) {
  const destinations = stack
    .resources('AWS::SES::ConfigurationSetEventDestination')
    .map(({ properties }) => properties as unknown as Destination);
  const rules = stack.resources('AWS::Events::Rule').map(({ properties }) => properties as EventRule);
  const queues = new Set(stack.resources('AWS::SQS::Queue').map(({ arn }) => arn));

  return async (set: string, { type, event }: SesEvent): Promise<void> => {
    const wants = ({ ConfigurationSetName, EventDestination: to }: Destination) =>
      ConfigurationSetName === set && to.Enabled !== false && to.MatchingEventTypes.includes(type);
    if (!destinations.some((one) => wants(one) && one.EventDestination.EventBridgeDestination)) return;
    const matching = rules.filter(
      ({ EventPattern, State }) => EventPattern && State !== 'DISABLED' && matches(EventPattern, event),
    );
    const targets = matching.flatMap(({ Targets = [] }) => Targets).filter(({ Arn }) => queues.has(Arn));
    await Promise.all(targets.map(({ Arn }) => send(Arn, JSON.stringify(event))));
  };
}
