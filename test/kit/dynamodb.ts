/** The address of another DynamoDB than our engine, if the tests must run on it. */
export const testDynamoDb = (): string | undefined => process.env.TEST_DYNAMODB_ENDPOINT;
