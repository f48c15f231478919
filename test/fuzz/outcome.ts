/** No request takes so long. A handler that never answers would stop the run. */
const deadlineMs = 20_000;

interface Outcome<T> {
  value?: T;
  error?: string;
  ms: number;
}

/** Also catches errors that no promise carries: those would end the function. */
export async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  const { promise, reject } = Promise.withResolvers<never>();
  const start = performance.now();
  const timer = setTimeout(() => reject(new Error(`nothing in ${deadlineMs / 1000} s`)), deadlineMs);
  process.once('uncaughtException', reject);
  process.once('unhandledRejection', reject);
  try {
    return { value: await Promise.race([work(), promise]), ms: performance.now() - start };
  } catch (error) {
    return { error: (error as Error).stack ?? String(error), ms: performance.now() - start };
  } finally {
    clearTimeout(timer);
    process.off('uncaughtException', reject);
    process.off('unhandledRejection', reject);
  }
}
