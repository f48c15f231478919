import type { RequestListener } from 'node:http';
import { listen } from './http-server.ts';

/** The address of the service. It is known before anything runs, because functions are told their own public address. */
export interface Front {
  host: string;
  connect(listener: RequestListener): void;
  close(): Promise<void>;
}

export async function openFront(port: number): Promise<Front> {
  let serve: RequestListener = (_request, response) => {
    response.writeHead(503, { 'retry-after': '1' }).end();
  };
  const server = await listen((request, response) => serve(request, response), port);
  return {
    host: `127.0.0.1:${server.port}`,
    connect: (listener) => {
      serve = listener;
    },
    close: server.close,
  };
}
