import type { Integration } from './document.ts';
import { parameterValue, type RenderedResponse, renderTemplate, variablesOf } from './gateway-responses.ts';

/**
 * A mock integration. The request template names a status, and the matching response defines status, headers and body.
 */
export function answerMock(integration: Integration, requestId: string): RenderedResponse | undefined {
  const request = integration.requestTemplates?.['application/json'];
  const statusCode = /"statusCode"\s*:\s*"?(\d{3})/.exec(request ?? '')?.[1];
  if (!statusCode) return undefined;
  const responses = Object.entries(integration.responses ?? {});
  const [, response] =
    responses.find(([pattern]) => pattern !== 'default' && new RegExp(`^(?:${pattern})$`).test(statusCode)) ??
    responses.find(([pattern]) => pattern === 'default') ??
    [];
  if (!response) return undefined;
  const variables = variablesOf(undefined, requestId);
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-amzn-requestid': requestId };
  for (const [parameter, value] of Object.entries(response.responseParameters ?? {})) {
    const name = /^method\.response\.header\.(.+)$/.exec(parameter)?.[1];
    const text = name && parameterValue(value, variables);
    if (name && text !== undefined) headers[name.toLowerCase()] = text;
  }
  const body = renderTemplate(response.responseTemplates?.['application/json'] ?? '', variables);
  return { status: Number(response.statusCode), headers, body };
}
