import { methods, operations } from 'contract:announcements';
import type { announcements } from '#schemas/announcements.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createAnnouncement, deleteAnnouncement, searchAnnouncements, updateAnnouncement } from './announcements.ts';

export const handler = serve<typeof announcements>(
  { operations, methods },
  { createAnnouncement, searchAnnouncements, updateAnnouncement, deleteAnnouncement },
  authentication,
);
