import { ts } from '@ts-morph/common';

/** TypeScript as a library. The package `typescript` is only a command from version 7 on. */
export default ts;
