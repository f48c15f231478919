import type { sessions } from '../families/sessions.ts';
import type { ExamplesOf } from './example.ts';
import { slug } from './story.ts';

const session = {
  username: slug,
  role: null,
  shops: [{ shop_slug: slug, role: 'admin' as const }],
  vendors: [],
  expires_at: '2026-11-16T21:00:00.000Z',
};

export const sessionExamples = {
  createSession: { response: session },
  getSession: { response: session },
  deleteSession: { response: null },
} satisfies ExamplesOf<typeof sessions>;
