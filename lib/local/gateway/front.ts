import type { RequestListener } from 'node:http';
import { listen } from './http-server.ts';

/** The public address of the service. It is opened first, because the functions need their public URL. */
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
