import { viewerOf } from '#domain/orders/presentation.ts';
import { disclosedOrder } from '#domain/privacy/disclosed-order.ts';
import { disclosureObject, partObject, removeFiles } from '#domain/privacy/disclosure-files.ts';
import { hasDownload } from '#domain/privacy/download.ts';
import { eraseEverything } from '#domain/privacy/erase-everything.ts';
import { receiversOf } from '#domain/privacy/erase-trail.ts';
import { foundOrders } from '#domain/privacy/find-orders.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { required } from '#platform/environment.ts';
import type { Upload } from '#platform/lazy/s3-multipart.ts';
import { addCounts, type Counted } from '#platform/personal-data.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { keyOf, privacyOf, privacyRequestPrefix } from '#platform/table/keys.ts';
import { batchGet, getItem, itemsIn, queryPages } from '#platform/table/reads.ts';
import { tryCommit, update } from '#platform/table/writes.ts';
import {
  directoryEntryOf,
  endOfParts,
  endOfZip,
  headerOf,
  nothingPacked,
  type Packed,
  packPart,
  type ZipEntry,
} from '#platform/zip.ts';
import { privacyLimits as limits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { DoStep, Step } from './step.ts';

/** How far the collection is. */
interface Collected {
  /** The last order. */
  after?: string;
  /** How many there are in it. */
  orders: number;
  parts: number;
  packed: Packed;
}

const nothingCollected: Collected = { orders: 0, parts: 0, packed: nothingPacked };

/** In memory at a time. */
const partBytes = 4 * 1024 * 1024;

/**
 * Collects the next orders, compresses them as a part of `data.json` and stores that. The names of their images are stored
 * beside it.
 */
export const collect: DoStep = async (step) => {
  const { request, shop, turn } = step;
  if (request.download_gone) return withdrawn(request);
  const before: Collected = request.position === undefined ? nothingCollected : JSON.parse(request.position);
  const viewer = await viewerOf({ shop, language: shop.language ?? 'en', serviceUrl: serviceUrl(), now: turn.now() });
  const receivers = await receiversOf(shop.slug);
  const texts: string[] = [];
  const images: string[] = [];
  let counts: Counted = {};
  let [after, bytes] = [before.after, 0];
  for await (const page of foundOrders(request, after)) {
    for (const orderId of page.slice(0, limits.ordersOfPart)) {
      const disclosed = await disclosedOrder(shop, orderId, receivers, viewer);
      after = orderId;
      if (!disclosed) continue;
      // A person reads it.
      const text = JSON.stringify(disclosed.content, null, 2);
      texts.push(text);
      bytes += text.length;
      images.push(...disclosed.images);
      const erasure = { at: turn.now().toISOString(), by: request.requested_by, dryRun: true };
      counts = addCounts(counts, await eraseEverything(shop, orderId, receivers, erasure, turn.spend));
      if (bytes >= partBytes || turn.isOver()) break;
    }
    break;
  }
  const isEnd = after === before.after;
  const start = before.parts === 0 ? '{"orders":[\n' : '';
  const listed = texts.map((text, i) => (before.orders + i === 0 ? text : `,\n${text}`)).join('');
  const { bytes: part, packed } = packPart(Buffer.from(start + listed + (isEnd ? '\n]}\n' : '')), before.packed);
  const { putObject } = await import('#platform/lazy/s3.ts');
  await putObject({ ...partObject(request, 'data', before.parts), Body: part });
  await putObject({ ...partObject(request, 'images', before.parts), Body: JSON.stringify(images) });
  const collected: Collected = {
    ...(after !== undefined && { after }),
    orders: before.orders + texts.length,
    parts: before.parts + 1,
    packed,
  };
  return {
    position: JSON.stringify(isEnd ? beginningOf(collected) : collected),
    counts: addCounts(request.counts, disclosedOnly(counts)),
    ...(isEnd && { step: 'zip' as const }),
  };
};

/** Nothing is erased, and all of it stays. */
const disclosedOnly = (counts: Counted): Counted =>
  Object.fromEntries(
    Object.entries(counts).map(([store, count]) => [store, { found: count!.found, erased: 0, kept: 0 }]),
  );

/** How far the file is. What is uploaded of it is never read again. */
interface Zipped {
  collected: Collected;
  upload?: Upload;
  /** Of the parts of the upload. */
  tags: string[];
  /** Bytes that are uploaded. */
  written: number;
  entries: number;
  /** The next source: parts of `data.json`, and then images of each part. */
  data: number;
  images: number;
  /** Of the images of that part. */
  image: number;
}

const beginningOf = (collected: Collected): Zipped => ({
  collected,
  tags: [],
  written: 0,
  entries: 0,
  data: 0,
  images: 0,
  image: 0,
});

/** S3 takes no smaller part, except for the last. */
const uploadBytes = 8 * 1024 * 1024;

/** Their tags are kept in the item of the request, which holds 400 KB. */
const maxParts = 8000;

/** Uploads the next part of the file, or ends it. */
export const zip: DoStep = async (step) => {
  const { request } = step;
  if (request.download_gone) return withdrawn(request);
  const state: Zipped = JSON.parse(request.position!);
  const { beginUpload, endUpload, uploadPart } = await import('#platform/lazy/s3-multipart.ts');
  if (!state.upload) {
    return { position: JSON.stringify({ ...state, upload: await beginUpload(disclosureObject(request)) }) };
  }
  const piece = await nextPiece(request, state);
  const { next, isEnd, directory } = piece;
  const { putObject, getObject } = await import('#platform/lazy/s3.ts');
  const number = state.tags.length + 1;
  if (number > maxParts) throw tooLarge();
  await putObject({ ...partObject(request, 'directory', number), Body: directory });
  const bytes = [...piece.bytes];
  if (isEnd) {
    const before = [];
    for (let n = 1; n < number; n++) before.push(await getObject(partObject(request, 'directory', n)));
    const whole = Buffer.concat([...before, directory]);
    bytes.push(whole, endOfZip(next.entries, whole.length, next.written));
  }
  const tag = await uploadPart(state.upload, number, Buffer.concat(bytes));
  const tags = [...state.tags, tag];
  if (!isEnd) return { position: JSON.stringify({ ...next, tags }) };
  await endUpload(state.upload, tags).catch((error: Error) => {
    // It was ended before, and the answer was lost.
    if (error.name !== 'NoSuchUpload') throw error;
  });
  await finish(step);
  return 'done';
};

interface Piece {
  bytes: Buffer[];
  directory: Buffer;
  next: Zipped;
  isEnd: boolean;
}

/** The next bytes of the file, from where the last part ended. Repeated, they are the same. */
async function nextPiece(request: PrivacyRequest, state: Zipped): Promise<Piece> {
  const { getObject } = await import('#platform/lazy/s3.ts');
  const { collected } = state;
  const next = { ...state };
  const bytes: Buffer[] = [];
  const directory: Buffer[] = [];
  const add = (part: Uint8Array) => {
    bytes.push(Buffer.from(part));
    next.written += part.length;
  };
  const begin = (entry: Omit<ZipEntry, 'offset'>) => {
    const whole = { ...entry, offset: next.written };
    directory.push(directoryEntryOf(whole));
    next.entries++;
    add(headerOf(whole));
  };
  const isFull = () => next.written - state.written >= uploadBytes;
  while (next.data < collected.parts && !isFull()) {
    if (next.data === 0) {
      const packedSize = collected.packed.packedSize + endOfParts.length;
      begin({ ...collected.packed, name: 'data.json', isDeflated: true, packedSize });
    }
    add(await getObject(partObject(request, 'data', next.data)));
    next.data++;
    if (next.data === collected.parts) add(endOfParts);
  }
  while (next.images < collected.parts && !isFull()) {
    const names: string[] = JSON.parse(
      Buffer.from(await getObject(partObject(request, 'images', next.images))).toString(),
    );
    while (next.image < names.length && !isFull()) {
      const key = names[next.image++]!;
      const image = await imageOf(key);
      if (!image) continue;
      const { packed } = packPart(image, nothingPacked);
      begin({
        ...packed,
        name: `images/${key.split('/').slice(-2).join('/')}`,
        isDeflated: false,
        packedSize: image.length,
      });
      add(image);
    }
    if (next.image >= names.length) Object.assign(next, { images: next.images + 1, image: 0 });
  }
  return { bytes, directory: Buffer.concat(directory), next, isEnd: next.images >= collected.parts };
}

/** Undefined if it is gone. */
async function imageOf(Key: string): Promise<Uint8Array | undefined> {
  const { getObject } = await import('#platform/lazy/s3.ts');
  return getObject({ Bucket: required('IMAGE_BUCKET'), Key }).catch((error: Error) => {
    if (error.name !== 'NoSuchKey') throw error;
    return undefined;
  });
}

const tooLarge = () =>
  Object.assign(new Error('The disclosure has more parts than an upload takes.'), { name: 'ZipTooLarge' });

/** An erasure may have come meanwhile: it marks the disclosure first, and then removes its file. The parts end with the file. */
async function finish({ request }: Step): Promise<void> {
  const now = await getItem<PrivacyRequest>(keyOf.privacyRequest(request.shop_slug, request.uuid));
  if (now?.download_gone) await removeFiles(request);
}

/** The orders that it would show are erased. */
async function withdrawn(request: PrivacyRequest): Promise<'done'> {
  await dropFiles(request);
  return 'done';
}

/** Removes all that was made of a disclosure that does not go on. */
export async function dropFiles(request: PrivacyRequest): Promise<void> {
  const { upload }: Partial<Zipped> = JSON.parse(request.position ?? '{}');
  const { dropUpload } = await import('#platform/lazy/s3-multipart.ts');
  if (upload) await dropUpload(upload);
  await removeFiles(request);
}

/** Disclosures that may still have files. */
const lookBackDays = limits.downloadDays + 1;

/**
 * Removes the files of disclosures with an order that is erased now, also of those that are being made. They are counted
 * before they go, as everything is.
 */
export const removeDisclosures: DoStep = async ({ request, shop, turn }) => {
  const disclosures = await disclosuresWith(request, shop.slug, turn.now());
  const { length: found } = disclosures;
  if (found > 0 && request.position === undefined) {
    return {
      position: 'counted',
      counts: addCounts(request.counts, { disclosures: { found, erased: found, kept: 0 } }),
    };
  }
  if (!request.dry_run) for (const one of disclosures) await withdraw(one);
  return 'done';
};

async function disclosuresWith(erasure: PrivacyRequest, slug: string, now: Date): Promise<PrivacyRequest[]> {
  const since = now.getTime() - secondsOfDays(lookBackDays) * 1000;
  const found: PrivacyRequest[] = [];
  for await (const page of queryPages({
    ...itemsIn(privacyOf(slug), { prefix: privacyRequestPrefix }),
    ScanIndexForward: false,
  })) {
    for (const one of page as unknown as PrivacyRequest[]) {
      if (Date.parse(one.created_at) < since) return found;
      const hasFiles = hasDownload(one, now) || one.status === 'running';
      if (one.kind === 'disclosure' && hasFiles && (await shareOrders(erasure, one))) found.push(one);
    }
  }
  return found;
}

async function shareOrders(erasure: PrivacyRequest, disclosure: PrivacyRequest): Promise<boolean> {
  for await (const page of foundOrders(erasure)) {
    const keys = page.map((orderId) => keyOf.foundOrder(disclosure.shop_slug, disclosure.uuid, orderId));
    if ((await batchGet(keys)).some((item) => item !== undefined)) return true;
  }
  return false;
}

async function withdraw(disclosure: PrivacyRequest): Promise<void> {
  await tryCommit([
    update(keyOf.privacyRequest(disclosure.shop_slug, disclosure.uuid), {
      UpdateExpression: 'SET download_gone = :yes',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':yes': true },
    }),
  ]);
  // Who is making it removes its parts: the mark is seen there.
  await removeFiles(disclosure, { keepsParts: disclosure.status === 'running' });
}
