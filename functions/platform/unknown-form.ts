/**
 * A newer version of the service wrote this: a document, a record of the stream or a message has a form that this version
 * does not know. That is an outage, not a fault of what was written: it waits until the newer version runs, and nothing
 * is skipped, put aside or acknowledged because of it.
 */
export class UnknownForm extends Error {
  override name = 'UnknownForm';
}
