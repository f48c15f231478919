import { examples } from '#schemas/examples/index.ts';
import {
  addressHash,
  formKey,
  hosts,
  ids,
  imageUrl,
  pageToken,
  secrets,
  slug,
  storyBegins,
  unsubscribeToken,
} from '#schemas/examples/story.ts';
import { providerSecrets } from '#schemas/examples/tracking-providers.ts';
import type { DeclaredOperation } from '#schemas/families/index.ts';
import { isForm, isMultipart, isRedirect } from '#schemas/families/operation.ts';

/**
 * The request of an example as commands that a person copies and runs. What the service makes (ids, secrets, tokens) is a
 * variable of the shell: the command of the operation that answers with it keeps it there. `lib/docs/guides/start.md` sets
 * the variables that do not come from an answer.
 */

interface Kept {
  /** What stands for it in the examples. */
  value: string;
  /** The operation that answers with it. */
  from: string;
  /** How the shell takes it from `$answer`, if it is not the value of a field. */
  take?: string;
}

const kept: Record<string, Kept> = {
  api_key_id: { value: ids.apiKey, from: 'createApiKey' },
  trigger: { value: ids.internalTrigger, from: 'createInternalTrigger' },
  image_url: { value: imageUrl, from: 'uploadImage' },
  order: { value: ids.order, from: 'searchOrders' },
  parcel: { value: ids.firstParcel, from: 'searchOrders' },
  second_parcel: { value: ids.secondParcel, from: 'searchOrders' },
  token: { value: pageToken, from: 'searchOrders', take: '$(field tracking_page_url | sed "s|.*/||")' },
  claim: { value: ids.claim, from: 'createClaim' },
  discount: { value: ids.discount, from: 'searchDiscounts' },
  deal: { value: ids.deal, from: 'createDeal' },
  campaign: { value: ids.campaign, from: 'createCampaign' },
  ab_test: { value: ids.abTest, from: 'createAbTest' },
  announcement: { value: ids.announcement, from: 'searchAnnouncements' },
  automation: { value: ids.automation, from: 'createAutomation' },
  endpoint: { value: ids.endpoint, from: 'createWebhook' },
  delivery: { value: ids.deliveredDelivery, from: 'listWebhookDeliveries' },
  mail_delivery: { value: ids.mailDelivery, from: 'listIntegrationDeliveries' },
  withdrawal: { value: ids.withdrawal, from: 'searchWithdrawals' },
  registration: { value: ids.registration, from: 'createRegistration' },
  shop_secret: { value: secrets.shopSystem, from: 'getWebhookConfig' },
  simulation: { value: ids.simulation, from: 'startSimulation' },
  privacy_request: { value: ids.privacyRequest, from: 'createPrivacyRequest' },
  suppression: { value: addressHash, from: 'listSuppressions' },
  form_key: {
    value: formKey,
    from: 'getClaimForm',
    take: `$(printf '%s' "$answer" | grep -o 'name="form_key" value="[^"]*"' | cut -d '"' -f 4)`,
  },
};

/** The field of the answer that has the value, and which one of its name it is. */
function fieldWith({ value, from }: Kept): string {
  const fields = [...JSON.stringify(examples[from]!.response).matchAll(/"(\w+)":"([^"]*)"/g)];
  const found = fields.findIndex(([, , text]) => text === value);
  const name = fields[found]?.[1];
  if (name === undefined) throw new Error(`The example of ${from} does not answer with ${value}.`);
  const place = fields.slice(0, found + 1).filter(([, other]) => other === name).length;
  return `$(field ${name}${place > 1 ? ` ${place}` : ''})`;
}

/** Hosts that a person replaces by own ones. */
const ownHosts: Record<string, string> = { [hosts.receiver]: '$receiver', [hosts.shopSystem]: '$shop_system' };

/** What a person takes from a mail. It contains values that answers have. */
const fromMails: Record<string, string> = { [unsubscribeToken]: '$unsubscribe' };

/** The variables of a request that another operation answers with, by the operation. */
export function neededFrom(operation: DeclaredOperation): Map<string, string[]> {
  const command = curlOf(operation);
  const needed = Map.groupBy(
    Object.entries(kept).filter(([name, { from }]) => from !== operation.id && isUsed(command, name)),
    ([, { from }]) => from,
  );
  return new Map([...needed].map(([from, entries]) => [from, entries.map(([name]) => `$${name}`)]));
}

const isUsed = (command: string, name: string) => new RegExp(`\\$${name}\\b`).test(command);

export function curlOf(operation: DeclaredOperation): string {
  const request = requestOf(operation);
  const answers = Object.entries(kept).filter(([, { from }]) => from === operation.id);
  if (answers.length === 0) return request;
  const takes = answers.map(([name, one]) => `${name}=${one.take ?? fieldWith(one)}`);
  return [`answer=$(${request}${request.endsWith('JSON') ? '\n' : ''})`, 'printf \'%s\\n\' "$answer"', ...takes].join(
    '\n',
  );
}

function requestOf(operation: DeclaredOperation): string {
  const { method, body: shape, role } = operation;
  const { body } = examples[operation.id]!;
  const address = `"${addressOf(operation)}"`;
  const isUsual = shape && !isForm(shape) && !isMultipart(shape);
  const parts = [
    `curl -sS --fail-with-body${isRedirect(operation) ? ' -i' : ''}${credentials(operation)}`,
    ...(method !== (body === undefined ? 'GET' : 'POST') ? [`-X ${method}`] : []),
    address,
  ];
  const head = [parts.join(' ')];
  if (shape && isMultipart(shape)) return lines(head, options('-F', body, fileMark));
  if (shape && isForm(shape)) return lines(head, options('--data-urlencode', body));
  if (!isUsual || body === undefined) return lines(head, []);
  const json = `<<JSON\n${inShell(JSON.stringify(body, null, 2))}\nJSON`;
  const type = "-H 'Content-Type: application/json'";
  if (role !== 'signed') return lines(head, [type, `-d @- ${json}`]);
  const [header, secret] = signatures[operation.signer ?? 'shop'];
  return [
    `body=$(cat ${json}\n)`,
    `signature=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "${secret}" -binary | base64)`,
    lines(head, [type, `-H "${header}: $signature"`, '--data-binary "$body"']),
  ].join('\n');
}

const lines = (head: string[], more: string[]) => [...head, ...more].join(' \\\n  ');

const signatures = {
  shop: ['X-Shopify-Hmac-Sha256', '$shop_secret'],
  app: ['shopware-app-signature', '$app_secret'],
  provider: ['aftership-hmac-sha256', providerSecrets.webhook_secret],
} as const;

function credentials({ id, role }: DeclaredOperation): string {
  if (id === 'createSession') return ' -u "$key" -c session.txt';
  if (role === 'session') return ' -b session.txt';
  if (role === 'open' || role === 'signed') return '';
  return role === 'superadmin' ? ' -u "$operator"' : ' -u "$key"';
}

function options(option: string, body: unknown, mark: (name: string) => string = () => ''): string[] {
  return Object.entries(body as Record<string, string | string[]>).flatMap(([name, values]) =>
    [values].flat().map((value) => `${option} "${name}=${mark(name)}${inShell(value).replaceAll('"', '\\"')}"`),
  );
}

const fileMark = (name: string) => (name === 'image' ? '@' : '');

function addressOf({ id, path }: DeclaredOperation): string {
  const { params = {}, query = {} } = examples[id]!;
  const given: Record<string, unknown> = { slug, ...params };
  const filled = path
    .replace(/^\/v1\/shops\/\{slug\}/, '$shop')
    .replace(/\{(\w+)\}/g, (_whole, name: string) => withVariables(String(given[name])));
  const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${filled.startsWith('$') ? '' : '$base'}${filled}${asked.length > 0 ? `?${asked.join('&')}` : ''}`;
}

/** A text between double quotes or in a document of the shell, with our variables and no others. */
const inShell = (text: string) => withVariables(currentTimes(text.replaceAll(/[\\$`]/g, '\\$&')));

function withVariables(text: string): string {
  const withMails = Object.entries(fromMails).reduce((all, [value, name]) => all.replaceAll(value, name), text);
  const withKept = Object.entries(kept).reduce(
    (all, [name, { value }]) => all.replaceAll(value, `$${name}`),
    withMails,
  );
  return Object.entries(ownHosts).reduce((all, [host, name]) => all.replaceAll(host, name), withKept);
}

/** Some times must be near, and others must not be over, whenever somebody runs the example. */
function currentTimes(text: string): string {
  return text
    .replaceAll(/("(?:since|start_at)": ")[\d-]+T/g, '$1${today}T')
    .replaceAll(/\d{4}(-\d\d-\d\dT[\d:]+Z)/g, (time, rest) => (isLater(time) ? `$next_year${rest}` : time));
}

const isLater = (time: string) => Date.parse(time) > Date.parse(storyBegins) + 24 * 3600_000;
