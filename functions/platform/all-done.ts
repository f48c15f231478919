/** As Promise.all, but the first error waits for the others: what is under way must not go on behind who gave up. */
export async function allDone<T>(work: Iterable<Promise<T>>): Promise<T[]> {
  const results = await Promise.allSettled(work);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
