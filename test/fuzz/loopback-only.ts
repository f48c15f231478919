import { Socket } from 'node:net';

const loopback = /^(127(\.\d+){3}|::1|\[::1\]|localhost)$/;

/** Refuses every connection of this process that would leave the machine, before its name is looked up. */
export function loopbackOnly(): void {
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [options] = [args[0]].flat() as [{ host?: string; path?: string }];
    if (options.path !== undefined || loopback.test(options.host ?? 'localhost')) return connect.apply(this, args);
    process.nextTick(() => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    return this;
  } as never;
}
