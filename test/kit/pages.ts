import { handler as orders } from '#api/orders/handler.ts';
import { handler as pages } from '#api/pages/handler.ts';
import { eventOf, invoke } from './invoke.ts';
import { multipart, type Part } from './multipart.ts';
import { asOperator } from './table.ts';

/** Makes an order of the shop on the table in memory. Returns the token of its tracking page. */
export async function pageTokenOf(slug: string, number: string, order: object = {}, trackings = ['P-1']) {
  const { status, body } = await invoke(orders, {
    method: 'PUT',
    resource: '/v1/shops/{slug}/orders',
    params: { slug },
    headers: asOperator,
    body: { id: number, order, trackings: trackings.map((tracking_number) => ({ tracking_number })) },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { body: found } = await invoke(orders, {
    method: 'GET',
    resource: '/v1/shops/{slug}/orders',
    params: { slug },
    query: { order_number: number },
    headers: asOperator,
  });
  return String(found[0].tracking_page_url).split('/').at(-1)!;
}

interface Form {
  fields?: Record<string, string | string[]>;
  parts?: [name: string, part: Part][];
  headers?: Record<string, string>;
  query?: Record<string, string>;
  address?: string;
}

/** Sends a form as a browser does: as one text, or in parts if there are files. */
export async function sendForm(resource: string, params: Record<string, string>, form: Form = {}) {
  const { fields = {}, parts, headers = {}, query, address = '192.0.2.1' } = form;
  const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  const sent = parts
    ? multipart(...(pairs as [string, Part][]), ...parts)
    : {
        body: Buffer.from(new URLSearchParams(pairs as [string, string][]).toString()),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
  const event = eventOf({
    method: 'POST',
    resource,
    params,
    ...(query && { query }),
    headers: { ...sent.headers, ...headers },
  });
  const requestContext = { ...event.requestContext, identity: { sourceIp: address } } as never;
  const encoded = { ...event, body: sent.body.toString('base64'), isBase64Encoded: true, requestContext };
  const result = await pages(encoded, { awsRequestId: 'request' });
  return { status: result.statusCode, headers: result.headers as Record<string, string>, body: result.body };
}

/** The key that protects the form on a page. */
export const formKeyIn = (page: string): string => /name="form_key" value="([^"]+)"/.exec(page)![1]!;
