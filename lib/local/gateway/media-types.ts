/** Whether a media type is one of the API's binary media types, which may contain wildcards. */
export function isBinary(binaryTypes: readonly string[], header: string | undefined): boolean {
  const type = (header ?? '').split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
  return binaryTypes.some((pattern) => {
    if (pattern === '*/*') return true;
    const [main, sub] = pattern.toLowerCase().split('/');
    const [actualMain, actualSub] = type.split('/');
    return main === actualMain && (sub === '*' || sub === actualSub);
  });
}
