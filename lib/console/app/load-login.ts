import { loadTexts } from '../texts/texts.ts';

/** The login and its texts, which most people do not need. */
export const loadLogin = async () => (await Promise.all([import('./login.tsx'), loadTexts('login')]))[0];
