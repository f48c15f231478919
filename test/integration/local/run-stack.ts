import { startLocalStack } from '#lib/local/stack.ts';

/** Runs a stack in a process of its own, for a test to kill. Prints its address and the outputs. */

const [assembly = '', dataDir = ''] = process.argv.slice(2);
const { url, outputs, clientConfig } = await startLocalStack({ assembly, port: 0, dataDir });
console.log(JSON.stringify({ url, outputs, clientConfig }));
