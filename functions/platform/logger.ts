import { Logger } from '@aws-lambda-powertools/logger';

/** Structured logs. Names, addresses, e-mail addresses, secrets and bodies never go in: log ids. */
export const logger = new Logger();
