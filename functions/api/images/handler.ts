import * as contract from 'contract:images';
import { authentication } from '#platform/http/authentication.ts';
import { multipartBody } from '#platform/http/multipart-body.ts';
import { serve } from '#platform/http/serve.ts';
import type { images } from '#schemas/families/images.ts';
import { uploadImage } from './upload-image.ts';

export const handler = serve<typeof images>(contract, { uploadImage }, authentication, multipartBody);
