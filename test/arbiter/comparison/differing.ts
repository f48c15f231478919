import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answer.ts';
import type { Result } from './play.ts';

/** In what two answers differ. Where one engine takes what the other refuses, the rest follows from it. */
export type Aspect = 'outcome' | 'message' | 'reasons' | 'capacity' | 'body' | 'after' | 'stream';

export function differing(ours: Result, theirs: Result): Aspect[] {
  const found = new Set<Aspect>();
  for (let i = 0; i < Math.max(ours.answers.length, theirs.answers.length); i += 1) {
    for (const aspect of differingAnswers(ours.answers[i], theirs.answers[i])) found.add(aspect);
  }
  if (!found.has('outcome')) {
    if (!isDeepStrictEqual(ours.after, theirs.after)) found.add('after');
    if (!isDeepStrictEqual(ours.stream, theirs.stream)) found.add('stream');
  }
  return [...found].sort();
}

function differingAnswers(ours: Answer | undefined, theirs: Answer | undefined): Aspect[] {
  if (ours?.status !== theirs?.status || ours?.type !== theirs?.type) return ['outcome'];
  const aspects = ['message', 'reasons', 'capacity', 'body'] as const;
  return aspects.filter((aspect) => !isDeepStrictEqual(ours?.[aspect], theirs?.[aspect]));
}
