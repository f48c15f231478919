import * as contract from 'contract:announcements';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { announcements } from '#schemas/families/announcements.ts';
import { createAnnouncement, deleteAnnouncement, searchAnnouncements, updateAnnouncement } from './announcements.ts';

export const handler = serve<typeof announcements>(
  contract,
  { createAnnouncement, searchAnnouncements, updateAnnouncement, deleteAnnouncement },
  authentication,
);
