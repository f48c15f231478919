/** The parts of an OpenAPI document with API Gateway's extensions that the local gateway uses. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  'x-amazon-apigateway-gateway-responses'?: Record<string, GatewayResponse>;
  'x-amazon-apigateway-binary-media-types'?: string[];
}

interface Operation {
  'x-amazon-apigateway-integration'?: Integration;
}

export interface Integration {
  type: string;
  uri?: string;
  timeoutInMillis?: number;
  requestTemplates?: Record<string, string>;
  responses?: Record<
    string,
    { statusCode: string; responseParameters?: Record<string, string>; responseTemplates?: Record<string, string> }
  >;
}

export interface GatewayResponse {
  statusCode?: string | number;
  responseParameters?: Record<string, string>;
  responseTemplates?: Record<string, string>;
}

export const anyMethod = 'x-amazon-apigateway-any-method';
