import { methods, operations } from 'contract:images';
import type { images } from '#schemas/images.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { multipartBody } from '#shared/request-path/multipart-body.ts';
import { serve } from '#shared/serve.ts';
import { uploadImage } from './upload-image.ts';

export const handler = serve<typeof images>({ operations, methods }, { uploadImage }, authentication, multipartBody);
