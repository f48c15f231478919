import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import timers from 'node:timers/promises';
import { knownModels } from '#domain/arrival/model-store.ts';
import { knownTokens } from '#domain/shop-systems/shopware/shop-api.ts';
import { notedOn } from '#platform/access/key-use.ts';
import { noted } from '#platform/once-a-minute.ts';
import { knownDataKeys } from '#platform/secrets/data-key.ts';
import { Random } from './random.ts';

/** The start of every chapter. */
const start = Date.parse('2026-11-14T12:00:00Z');

let own = new Random('');

const fill = <T extends NodeJS.ArrayBufferView>(view: T): T => {
  Buffer.from(view.buffer, view.byteOffset, view.byteLength).set(own.bytes(view.byteLength));
  return view;
};

/**
 * Takes clock and random numbers away from the process, so that the service makes the same ids and secrets in each run
 * with the same seed. Without this, ids would differ and so would the requests that use them.
 */
export const repeatable = {
  takeOver(): void {
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: start });
    Object.assign(crypto, {
      randomBytes: (length: number) => own.bytes(length),
      randomUUID: () => own.uuid(),
      randomFillSync: fill,
    });
    crypto.webcrypto.getRandomValues = fill as never;
    Math.random = () => own.number();
    // What waits goes on at once: which of two waits ends first would depend on the machine.
    timers.setTimeout = (async (_ms: number, value: unknown) => value) as typeof timers.setTimeout;
    syncBuiltinESMExports();
  },
  restart(seed: string): void {
    own = new Random(`${seed}/service`);
    mock.timers.setTime(start);
    knownDataKeys.clear();
    knownModels.clear();
    notedOn.clear();
    noted.clear();
    knownTokens.clear();
  },
  advance(ms: number): void {
    mock.timers.setTime(Date.now() + ms);
  },
};
