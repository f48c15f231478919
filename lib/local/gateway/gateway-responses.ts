import type { GatewayResponse } from './document.ts';

export interface GatewayError {
  type: string;
  status: number;
  message: string;
  errorType: string;
}

export interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const error = (type: string, status: number, message: string, errorType: string): GatewayError => ({
  type,
  status,
  message,
  errorType,
});

/** The errors that the gateway itself returns, with the defaults of AWS. */
export const gatewayErrors = {
  unknownRoute: error(
    'MISSING_AUTHENTICATION_TOKEN',
    403,
    'Missing Authentication Token',
    'MissingAuthenticationTokenException',
  ),
  badParameters: error('BAD_REQUEST_PARAMETERS', 400, 'Bad Request', 'BadRequestException'),
  tooLarge: error('REQUEST_TOO_LARGE', 413, 'Request Too Long', 'RequestTooLargeException'),
  throttled: error('THROTTLED', 429, 'Too Many Requests', 'TooManyRequestsException'),
  // AWS returns 502 through DEFAULT_5XX when a Lambda function fails. INTEGRATION_FAILURE would be a 504.
  functionFailed: error('DEFAULT_5XX', 502, 'Internal server error', 'InternalServerErrorException'),
  timedOut: error('INTEGRATION_TIMEOUT', 504, 'Endpoint request timed out', 'InternalServerErrorException'),
  misconfigured: error('API_CONFIGURATION_ERROR', 500, 'Internal server error', 'InternalServerErrorException'),
} satisfies Record<string, GatewayError>;

export function renderGatewayResponse(
  definitions: Record<string, GatewayResponse>,
  failure: GatewayError,
  requestId: string,
): RenderedResponse {
  const fallback = failure.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const specific = definitions[failure.type];
  const definition = specific ?? definitions[fallback] ?? {};
  const [contentType, template] = Object.entries(definition.responseTemplates ?? {})[0] ?? [
    'application/json',
    '{"message":$context.error.messageString}',
  ];
  const headers: Record<string, string> = {
    'content-type': contentType,
    'x-amzn-requestid': requestId,
    'x-amzn-errortype': failure.errorType,
  };
  const variables = variablesOf(failure, requestId);
  for (const [parameter, value] of Object.entries(definition.responseParameters ?? {})) {
    const name = /^gatewayresponse\.header\.(.+)$/.exec(parameter)?.[1];
    const text = name && parameterValue(value, variables);
    if (name && text !== undefined) headers[name.toLowerCase()] = text;
  }
  return {
    status: Number(definition.statusCode ?? failure.status),
    headers,
    body: renderTemplate(template, variables),
  };
}

type Variables = Record<string, string>;

export function variablesOf(failure: GatewayError | undefined, requestId: string): Variables {
  return {
    'context.requestId': requestId,
    'context.extendedRequestId': requestId,
    'context.error.message': failure?.message ?? '',
    'context.error.messageString': JSON.stringify(failure?.message ?? ''),
    'context.error.responseType': failure?.type ?? '',
  };
}

/** Replaces `$context.…`. Other parts of the template language are not supported and stay as they are. */
export function renderTemplate(template: string, variables: Variables): string {
  return template.replace(/\$(context(?:\.[A-Za-z]+)+)/g, (match, name: string) => variables[name] ?? match);
}

/** A parameter is `'static'` in quotes or the name of a context variable. */
export function parameterValue(value: string, variables: Variables): string | undefined {
  return /^'(.*)'$/s.exec(value)?.[1] ?? variables[value];
}
