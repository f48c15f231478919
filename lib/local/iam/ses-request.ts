import { addressIn, type SendEmail } from '../ses/send-email.ts';
import { account, region } from '../template/physical-names.ts';
import type { Access } from './evaluate.ts';

/** The permissions that a request to SES needs: to send as an identity, and with a configuration set. */
export function sesAccesses(operation: string, body: Record<string, unknown>): Access[] {
  const { FromEmailAddress = '', ConfigurationSetName: set } = body as SendEmail;
  const from = addressIn(FromEmailAddress);
  const context = { 'ses:fromaddress': [from] };
  const access = (resource: string): Access => ({
    action: `ses:${operation}`,
    resource: `arn:aws:ses:${region}:${account}:${resource}`,
    context,
  });
  const identity = access(`identity/${from.slice(from.indexOf('@') + 1)}`);
  return set === undefined ? [identity] : [identity, access(`configuration-set/${set}`)];
}
