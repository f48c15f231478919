import type { Static, TArray, TObject, TProperties, TSchema } from 'typebox';
import type { OperationsById } from '../families/index.ts';
import type { BodyByParameter, FormBody, Input, MultipartBody, Operation, Output } from '../families/operation.ts';
import type {
  ClaimEventPayload as ClaimShape,
  ShipmentEventPayload as ShipmentShape,
  WithdrawalEventPayload as WithdrawalShape,
} from '../shapes/event-payloads.ts';

/**
 * The types of the client, inferred from the declarations. The package has the same types written out instead
 * (lib/bundling/client-types.ts), so that it needs neither the declarations nor TypeBox.
 */

/** What a caller sends, and what the answer is. */
export type Operations = { [Id in CallableId]: CallOf<Extract<OperationsById[Id], Operation>> };

/** Other systems sign the requests of `signed` operations, so no client calls them. */
type CallableId = {
  [Id in keyof OperationsById]: OperationsById[Id] extends { role: 'signed' } ? never : Id;
}[keyof OperationsById];

interface CallOf<O extends Operation> {
  params: Input<O>['params'];
  query: O['query'] extends TObject<infer P> ? Fields<P> : undefined;
  body: BodyOf<O['body']>;
  ifMatch: O['ifMatch'] extends true ? string : undefined;
  answer: Output<O>;
}

type BodyOf<B extends Operation['body']> = B extends FormBody
  ? FormData | URLSearchParams
  : B extends MultipartBody<infer T>
    ? FormData | Files<Written<T>>
    : B extends BodyByParameter<infer T>
      ? Written<T>
      : B extends TSchema
        ? Written<B>
        : undefined;

/** A file has bytes where the service reads it, and is a Blob where it is sent. */
type Files<T> = { [Name in keyof T]: T[Name] extends Uint8Array ? Blob : T[Name] };

/** A value as a caller writes it. */
type Written<S extends TSchema> =
  S extends TArray<infer Element> ? Written<Element>[] : S extends TObject<infer P> ? Fields<P> : Static<S>;

type Fields<P extends TProperties> = Flat<
  { [Name in Exclude<keyof P, MayBeLeftOut<P>>]: Written<P[Name]> } & {
    [Name in MayBeLeftOut<P>]?: Written<P[Name]> | undefined;
  }
>;

type MayBeLeftOut<P extends TProperties> = {
  [Name in keyof P]: P[Name] extends { '~optional': true } | { default: unknown } ? Name : never;
}[keyof P];

type Flat<T> = { [Name in keyof T]: T[Name] };

/** What the service posts to an endpoint. `source` and `ref` say which of them it is. */
export type WebhookEvent = ShipmentEventPayload | ClaimEventPayload | WithdrawalEventPayload;
export type ShipmentEventPayload = Static<typeof ShipmentShape>;
export type ClaimEventPayload = Static<typeof ClaimShape>;
export type WithdrawalEventPayload = Static<typeof WithdrawalShape>;
