import * as contract from 'contract:emails';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { emails } from '#schemas/families/emails.ts';
import { previewEmail, sendTestEmail } from './sample-mail.ts';
import { getEmailSettings, updateEmailSettings } from './settings.ts';
import { deleteSuppression, listSuppressions } from './suppressions.ts';

export const handler = serve<typeof emails>(
  contract,
  { getEmailSettings, updateEmailSettings, previewEmail, sendTestEmail, listSuppressions, deleteSuppression },
  authentication,
);
