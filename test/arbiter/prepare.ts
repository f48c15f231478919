import { findJava, installDynamoDbLocal } from './installation.ts';

try {
  findJava();
  installDynamoDbLocal();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
