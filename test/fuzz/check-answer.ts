import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { allOperations, type DeclaredOperation } from '#schemas/families/index.ts';
import { isPage, isRedirect } from '#schemas/families/operation.ts';
import { csvColumns, csvText } from '#schemas/shapes/csv.ts';
import { Empty } from '#schemas/shapes/shapes.ts';

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
  components: { schemas: { Error: object } };
}

const description = openApiDescription() as unknown as Description;
const ajv = addFormats.default(new Ajv.default({ strict: false }));
const isError = ajv.compile(description.components.schemas.Error);
const isDeclaredAnswer = new Map<string, ValidateFunction>(
  allOperations
    .filter(({ response }) => !('mediaType' in response) && response !== Empty)
    .map(({ id, response }) => [id, ajv.compile(response)]),
);

/** How an answer breaks the contract, or undefined. */
export function faultOf(operation: DeclaredOperation, answer: APIGatewayProxyResult): string | undefined {
  const { statusCode, headers = {} } = answer;
  if (statusCode === 405) return headers.Allow ? undefined : 'a 405 without the header Allow';
  const declared = description.paths[operation.path]![operation.method.toLowerCase()]!.responses[statusCode];
  if (!declared) return `the status ${statusCode} is not declared: ${answer.body.slice(0, 300)}`;
  if (!headers['X-Correlation-Id']) return 'there is no X-Correlation-Id';
  const isForPeople = isPage(operation) && (statusCode < 400 || operation.role === 'open');
  if (isForPeople) return faultOfPage(operation, answer);
  return statusCode < 400 ? faultOfSuccess(operation, answer) : faultOfError(declared.description, answer);
}

function faultOfPage(operation: DeclaredOperation, { statusCode, body, headers }: APIGatewayProxyResult) {
  if (statusCode >= 500) return 'the service failed';
  const isElsewhere = isRedirect(operation) || (operation.mayRedirect && statusCode === 303);
  if (isElsewhere && statusCode < 400) return headers?.Location ? undefined : 'a redirect without a Location';
  return body.startsWith('<!doctype html>') ? undefined : `the answer is no page: ${body.slice(0, 300)}`;
}

function faultOfSuccess(
  { id, response, csv }: DeclaredOperation,
  { body, headers }: APIGatewayProxyResult,
): string | undefined {
  if (response === Empty) return body === '' ? undefined : 'the answer has a body';
  if (csv && String(headers?.['Content-Type']).startsWith('text/csv')) return faultOfCsv(response, body);
  const validate = isDeclaredAnswer.get(id);
  if (!validate || validate(parsed(body))) return undefined;
  return `the answer has another shape: ${ajv.errorsText(validate.errors)}`;
}

/** No figure has a comma in it. */
function faultOfCsv(response: object, body: string): string | undefined {
  const columns = csvColumns(response);
  if (!body.startsWith(csvText(columns, []))) return `the CSV has another header: ${body.slice(0, 300)}`;
  const lines = body.split('\r\n').slice(0, -1);
  const broken = lines.find((line) => line.split(',').length !== columns.length);
  return broken === undefined ? undefined : `the CSV has a broken line: ${broken}`;
}

/** Only a third-party system that failed may be the reason for a 5xx, and only where it is called. */
function faultOfError(keys: string, { statusCode, body }: APIGatewayProxyResult): string | undefined {
  const error = parsed(body) as { key: string; type: string } | undefined;
  if (!isError(error)) return `the error has another shape: ${body.slice(0, 300)}`;
  const { key, type } = error as { key: string; type: string };
  if (statusCode >= 500 && key !== 'bad_gateway') return `the service failed: ${key}`;
  if (!keys.includes(`\`${key}\``)) return `the error ${key} is not declared for the status ${statusCode}`;
  return (type === 'api_error') === statusCode >= 500 ? undefined : `the error has the type ${type}`;
}

export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
