/** The address of another DynamoDB than our engine, where the tests are to run on one. */
export const testDynamoDb = (): string | undefined => process.env.TEST_DYNAMODB_ENDPOINT;
