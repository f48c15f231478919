import { fileTypeFromBuffer } from 'file-type';
import { ServiceError } from '#platform/errors.ts';
import { BrokenImage } from './formats/byte-reader.ts';
import { cleanGif } from './formats/gif.ts';
import { cleanJpeg } from './formats/jpeg.ts';
import { cleanPng } from './formats/png.ts';
import { cleanWebp } from './formats/webp.ts';

interface Format {
  mediaType: string;
  extension: string;
  clean: (bytes: Uint8Array) => Buffer;
}

const png: Format = { mediaType: 'image/png', extension: 'png', clean: cleanPng };

/**
 * The formats by the detected media type. Our own code reads each format, because a library for this decodes the
 * picture (sharp is native, and a hundred times larger). SVG is missing because it may hold scripts, AVIF and HEIC
 * because we could not remove their metadata.
 */
const formats: Record<string, Format> = {
  'image/jpeg': { mediaType: 'image/jpeg', extension: 'jpg', clean: cleanJpeg },
  'image/png': png,
  'image/apng': png,
  'image/gif': { mediaType: 'image/gif', extension: 'gif', clean: cleanGif },
  'image/webp': { mediaType: 'image/webp', extension: 'webp', clean: cleanWebp },
};

/** The first bytes are enough to detect the type. With more bytes, the library might unpack archives. */
const detectionBytes = 4100;

export interface CleanImage {
  bytes: Buffer;
  format: Format;
}

/** Returns the image without its metadata and checks that it is complete. Anything else is refused with 415. */
export async function cleanImage(bytes: Uint8Array): Promise<CleanImage> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, detectionBytes)).catch(() => undefined);
  const format = formats[type?.mime ?? ''];
  if (!format) throw unsupported('The file is not a JPEG, PNG, GIF or WebP image.');
  try {
    return { bytes: format.clean(bytes), format };
  } catch (error) {
    if (error instanceof BrokenImage) throw unsupported(error.message);
    throw error;
  }
}

const unsupported = (message: string) => new ServiceError('image_media_unsupported', { message });
