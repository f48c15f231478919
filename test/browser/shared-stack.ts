import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

/** The service that all test files share. A file makes shops of its own. */
export function sharedService() {
  const service = inject('service');
  return { ...service, table: DynamoDBDocumentClient.from(new DynamoDBClient(service.clientConfig)) };
}

export type SharedService = ReturnType<typeof sharedService>;

/** The Chromium that all test files share, with pages that only this connection sees. */
export const sharedChromium = (): Promise<Browser> => chromium.connect(inject('chromium'));
