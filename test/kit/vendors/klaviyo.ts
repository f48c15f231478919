import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

/** What "Create Event" takes. Written after github.com/klaviyo/openapi, stable/apis/create_event.json. */
const text = { type: 'string' };
const resource = (type: string, attributes: object) => ({
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: {
    data: {
      type: 'object',
      required: ['type', 'attributes'],
      additionalProperties: false,
      properties: { type: { const: type }, attributes },
    },
  },
});
const createEvent = resource('event', {
  type: 'object',
  required: ['properties', 'metric', 'profile'],
  additionalProperties: false,
  properties: {
    properties: {
      type: 'object',
      maxProperties: 400,
      additionalProperties: {
        anyOf: [{ type: 'string', maxLength: 100_000 }, { type: ['number', 'array', 'object'] }],
      },
    },
    time: { type: 'string', format: 'date-time' },
    value: { type: 'number' },
    value_currency: text,
    unique_id: text,
    metric: resource('metric', {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 1, maxLength: 127 } },
    }),
    profile: resource('profile', {
      type: 'object',
      anyOf: ['email', 'phone_number', 'external_id', 'anonymous_id'].map((name) => ({ required: [name] })),
      additionalProperties: false,
      properties: { email: text, phone_number: text, external_id: text, first_name: text, last_name: text },
    }),
  },
});

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(createEvent);

/** Requests in a second and in a minute, for an account. */
export const klaviyoLimits = [
  { requests: 350, seconds: 1 },
  { requests: 3_500, seconds: 60 },
];

export const klaviyoKey = 'pk_a-private-key-of-klaviyo';

export class FakeKlaviyo extends FakeVendor {
  /** By metric, profile and `unique_id`: only the first of a kind is recorded. */
  readonly events = new Map<string, Record<string, unknown>>();

  constructor(url = 'https://a.klaviyo.com') {
    super(url);
  }

  protected serve({ method, path, headers, body }: VendorRequest): VendorResponse {
    if (method !== 'POST' || path !== '/api/events') return fault(404, 'not_found', 'not found', '/');
    if (headers.authorization !== `Klaviyo-API-Key ${klaviyoKey}`) {
      return fault(401, 'not_authenticated', `no such key: ${headers.authorization}`, '/data');
    }
    if (!/^\d{4}-\d\d-\d\d$/.test(headers.revision ?? '')) return fault(400, 'invalid', 'revision', '/revision');
    if (headers['content-type'] !== 'application/vnd.api+json') return fault(415, 'invalid', 'media type', '/');
    const isValid: boolean = validate(body);
    if (!isValid) return fault(400, 'invalid', ajv.errorsText(validate.errors), validate.errors![0]!.instancePath);
    const { metric, profile, unique_id } = body.data.attributes;
    const { email, external_id } = profile.data.attributes;
    if (email && !email.includes('@'))
      return fault(400, 'invalid', 'bad e-mail', '/data/attributes/profile/data/attributes/email');
    const name = [metric.data.attributes.name, external_id ?? email, unique_id].join();
    if (!this.events.has(name)) this.events.set(name, body.data.attributes);
    return { status: 202 };
  }
}

const fault = (status: number, code: string, detail: string, pointer: string): VendorResponse => ({
  status,
  body: { errors: [{ id: '1', status, code, title: code, detail, source: { pointer } }] },
});
