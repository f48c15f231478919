import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayEvent, Progress } from './request.ts';

/** Progress travels on the context: middy hands the same one to every step. */
export interface PathContext {
  progress: Progress;
  awsRequestId?: string;
}

export type Middleware = MiddlewareObj<GatewayEvent, APIGatewayProxyResult, Error, PathContext>;
