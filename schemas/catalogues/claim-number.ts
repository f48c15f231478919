/** The number that customer and shop call a claim by, such as `4F2A-91BC`: the end of its uuid, which is random. */
export function claimNumber(uuid: string): string {
  const end = uuid.replaceAll('-', '').slice(-8).toUpperCase();
  return `${end.slice(0, 4)}-${end.slice(4)}`;
}
