import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answers, Question, StackOptions } from './run-stack.ts';

/** The stack that the bench starts, asks, kills and starts again on the same data. */
export interface StackProcess {
  url(): string;
  /** Rejects if it ends without being told to. */
  ended: Promise<never>;
  ask<Q extends Question>(question: Q): Promise<Answers[Q]>;
  /** Ends it at once, as `kill -9` does, and starts it again. Returns how long nobody answered. */
  killAndRestart(): Promise<number>;
  stop(): Promise<void>;
}

type Message = { ready: string } | { [Q in Question]: { question: Q; answer: Answers[Q] } }[Question];

const script = fileURLToPath(new URL('./run-stack.ts', import.meta.url));

export async function startStack(options: StackOptions, execArgv: string[] = []): Promise<StackProcess> {
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  let isTold = false;
  const watched = (child: ChildProcess) =>
    child.once('exit', (code, signal) => {
      if (!isTold) ended.reject(new Error(`The stack ended with ${code ?? signal}, and nobody told it to.`));
    });
  let { child, url } = await start(options, execArgv);
  watched(child);
  const again = { ...options, port: Number(new URL(url).port) };
  return {
    url: () => url,
    ended: ended.promise,
    ask: (question) => ask(child, question),
    killAndRestart: async () => {
      const began = performance.now();
      const exited = once(child, 'exit');
      isTold = true;
      child.kill('SIGKILL');
      await exited;
      ({ child, url } = await start(again, execArgv));
      isTold = false;
      watched(child);
      return performance.now() - began;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      isTold = true;
      const exited = once(child, 'exit');
      child.send('stop' satisfies Question);
      await exited;
    },
  };
}

async function start(options: StackOptions, execArgv: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(script, [JSON.stringify(options)], { execArgv });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The stack ended with ${code} before it was ready.`)));
    child.once('message', (message: Message) => 'ready' in message && resolve(message.ready));
  });
  return { child, url };
}

function ask<Q extends Question>(child: ChildProcess, question: Q): Promise<Answers[Q]> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The stack ended before it answered "${question}".`));
    const heard = (message: Message) => {
      if ('ready' in message || message.question !== question) return;
      child.off('message', heard).off('exit', ended);
      resolve(message.answer as Answers[Q]);
    };
    child.on('message', heard).once('exit', ended);
    child.send(question, (error) => error && ended());
  });
}
