import { spawn } from 'node:child_process';

/** Runs a command for as long as our standard input is open: however the tests end, the command ends with them. */

const patience = 3_000;
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: 'ignore' });

const end = () => {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), patience).unref();
};
child.once('error', () => process.exit(1));
child.once('exit', (code) => process.exit(code ?? 1));
process.once('SIGTERM', end);
process.stdin.once('end', end).once('error', end).resume();
