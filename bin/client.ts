import { resolve } from 'node:path';
import { buildClient, clientName } from '#lib/bundling/client.ts';

const folder = resolve(process.argv[2] ?? '.build/client');

await buildClient(folder);
console.log(`${clientName} is in ${folder}. Publish it with: npm publish ${folder}`);
