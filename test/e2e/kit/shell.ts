import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';

export const hasPrograms = (...names: string[]): boolean =>
  names.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

/** A shell that keeps its variables from one command to the next, as that of a person does. */
export class Shell implements Disposable {
  readonly #bash: ChildProcessWithoutNullStreams;
  #runs = 0;

  constructor(folder: string) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder });
  }

  /** What the command prints, and its exit code. */
  run(command: string): Promise<{ printed: string; code: number }> {
    const run = ++this.#runs;
    const end = new RegExp(`\\n<${run} ended (\\d+)>\\n$`);
    return new Promise((resolve) => {
      let printed = '';
      const listen = (chunk: Buffer) => {
        printed += chunk;
        const ended = end.exec(printed);
        if (!ended) return;
        this.#bash.stdout.off('data', listen);
        resolve({ printed: printed.slice(0, ended.index), code: Number(ended[1]) });
      };
      this.#bash.stdout.on('data', listen);
      this.#bash.stdin.write(`{\n${command}\n} 2>&1\nprintf '\\n<${run} ended %s>\\n' $?\n`);
    });
  }

  [Symbol.dispose](): void {
    this.#bash.kill();
  }
}
