import { afterAll } from 'vitest';
import { startDynamoDbLocal } from './dynamodb-local.ts';

// One for each test file: the tables of every stack have the names of the template, so that two stacks would share them.
const local = await startDynamoDbLocal();
process.env.TEST_DYNAMODB_ENDPOINT = local.endpoint;

afterAll(() => local.stop());
