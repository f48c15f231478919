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
  app_secret: {
    value: secrets.app,
    from: 'getAppManifest',
    take: `$(printf '%s' "$answer" | sed -n 's|.*<secret>\\(.*\\)</secret>.*|\\1|p')`,
  },
  app_shop_secret: { value: secrets.appShop, from: 'registerApp' },
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
  if (operation.signer === 'app') return signedQuery(operation);
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
  const { header, secret, digest } = signatureOf(operation);
  return [
    `body=$(cat ${json}\n)`,
    `signature=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "${secret}" ${digest})`,
    lines(head, [type, `-H "${header}: $signature"`, '--data-binary "$body"']),
  ].join('\n');
}

const lines = (head: string[], more: string[]) => [...head, ...more].join(' \\\n  ');

/** The shop that installs the app signs its query as it is sent, and a request that is not of this moment is refused. */
function signedQuery(operation: DeclaredOperation): string {
  const { header, secret, digest } = signatureOf(operation);
  const { query = {} } = examples[operation.id]!;
  const asked = Object.entries(query).map(([name, value]) => `${name}=${name === 'timestamp' ? '$(date +%s)' : value}`);
  return [
    `query="${asked.join('&')}"`,
    `signature=$(printf '%s' "$query" | openssl dgst -sha256 -hmac "${secret}" ${digest})`,
    lines([`curl -sS --fail-with-body "${pathOf(operation)}?$query"`], [`-H "${header}: $signature"`]),
  ].join('\n');
}

interface Signature {
  header: string;
  secret: string;
  /** How openssl prints it. */
  digest: string;
}

const base64 = '-binary | base64';
const hexadecimal = "-r | cut -d ' ' -f 1";

const signatures: Record<'shop' | 'app' | 'installedApp' | 'provider', Signature> = {
  shop: { header: 'X-Shopify-Hmac-Sha256', secret: '$shop_secret', digest: base64 },
  app: { header: 'shopware-app-signature', secret: '$app_secret', digest: hexadecimal },
  installedApp: { header: 'shopware-shop-signature', secret: '$app_shop_secret', digest: hexadecimal },
  provider: { header: 'aftership-hmac-sha256', secret: providerSecrets.webhook_secret, digest: base64 },
};

const signatureOf = ({ path, signer = 'shop' }: DeclaredOperation): Signature =>
  signatures[signer === 'shop' && path.includes('/shop-system/app/') ? 'installedApp' : signer];

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

function addressOf(operation: DeclaredOperation): string {
  const { query = {} } = examples[operation.id]!;
  const asked = Object.entries(query).map(
    ([name, value]) => `${name}=${withVariables(encodeURIComponent(String(value)))}`,
  );
  return `${pathOf(operation)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`;
}

function pathOf({ id, path }: DeclaredOperation): string {
  const { params = {} } = examples[id]!;
  const given: Record<string, unknown> = { slug, ...params };
  const filled = path
    .replace(/^\/v1\/shops\/\{slug\}/, '$shop')
    .replace(/\{(\w+)\}/g, (_whole, name: string) => withVariables(String(given[name])));
  return `${filled.startsWith('$') ? '' : '$base'}${filled}`;
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
