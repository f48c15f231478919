/** For a line that must stay short. Whole texts stand elsewhere, or nobody needs them whole. */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
