import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contractModules } from '#lib/bundling/contract-modules.ts';
import { minifiedTexts } from '#lib/bundling/minified-texts.ts';
import type { Exchange } from './chapter.ts';

/**
 * `npm run fuzz`: sends requests to every operation and says which answers break the contract. `-- --seed 7` repeats a
 * run, `--requests 5000` sets its length, `--from 10001` leaves out the chapters before that request, and `--only 1234`
 * repeats one request with those before it that it depends on.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string' },
    requests: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = numberOf('seed', values.seed ?? String(Date.now() % 1_000_000_000));
const requests = numberOf('requests', values.requests ?? '100000');
const from = numberOf('from', values.from ?? '1');
const only = values.only === undefined ? undefined : numberOf('only', values.only);

serveMadeModules();
// The logger reads it when its module is loaded.
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const { fuzz } = await import('./fuzz.ts');
console.log(`seed ${seed}`);
const start = performance.now();
const report = await fuzz({ seed, from, requests, only, onExchange: only === undefined ? progress : showLast });
for (const failure of report.failures) {
  const { number, count, fault, status, answer } = failure;
  console.log(`\nFAILED ${count} times, first: npm run fuzz -- --seed ${seed} --only ${number}`);
  console.log(`${shortened(failure.request)}\nanswer ${status} ${shortened(answer)}\n${fault}`);
}
const statuses = [...report.statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
console.log(
  `\n${report.requests} requests in ${((performance.now() - start) / 1000).toFixed(0)} s. Answers: ${statuses}`,
);
console.log(`Operations that never succeeded: ${report.neverSucceeded.join(', ') || 'none'}`);
console.log(
  `Slowest: ${report.slowest.map(({ number, name, ms }) => `${name} ${ms.toFixed(0)} ms (${number})`).join(', ')}`,
);
console.log(`Digest ${report.digest}. ${report.failures.length} kinds of failures.`);
process.exit(report.failures.length === 0 ? 0 : 1);

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`);
  return value;
}

function progress(number: number, { name, status, fault }: Exchange): void {
  if (fault !== undefined) console.log(`request ${number}, ${name}: ${status}, ${fault.slice(0, 200)}`);
  if (number % 10_000 === 0) console.log(`${number} requests`);
}

function showLast(number: number, { request, status, answer }: Exchange): void {
  if (number === only) console.log(`${request}\nanswer ${status} ${answer}`);
}

function shortened(text: string): string {
  return text.length > 3000 ? `${text.slice(0, 3000)}… (${text.length} characters)` : text;
}

/** Functions import modules that the build makes. Here Node.js makes them, as vitest does for the tests. */
function serveMadeModules(): void {
  const [contract, texts] = [contractModules.vite(), minifiedTexts.vite()];
  registerHooks({
    resolve: (id, context, next) => {
      const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : undefined;
      const made = contract.resolveId(id) ?? texts.resolveId(id, importer);
      return made ? { url: made.slice(1), format: 'module', shortCircuit: true } : next(id, context);
    },
    load: (url, context, next) => {
      const source = contract.load(`\0${url}`) ?? texts.load(`\0${url}`);
      return source === undefined ? next(url, context) : { source, format: 'module', shortCircuit: true };
    },
  });
}
