import { Socket } from 'node:net';

const loopback = /^(127(\.\d+){3}|::1|\[::1\]|localhost)$/;

interface Target {
  host?: string;
  port?: number;
  path?: string;
}

const connect = Socket.prototype.connect as (...args: unknown[]) => Socket;

/**
 * Refuses every connection of this process that would leave the machine, before its name is looked up. The given names
 * lead to ports of this machine instead.
 */
export function loopbackOnly(ports: Record<string, number>): void {
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [options] = [args[0]].flat() as [Target];
    const port = ports[options.host ?? ''];
    if (port !== undefined) Object.assign(options, { host: '127.0.0.1', port });
    if (options.path !== undefined || loopback.test(options.host ?? 'localhost')) return connect.apply(this, args);
    process.nextTick(() => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    return this;
  } as never;
}
