/** One read for each name, such as one for each shop of a batch. Not longer than that: what was read grows old. */
export function remembered<T>(load: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (name) => {
    const loading = known.get(name) ?? load(name);
    known.set(name, loading);
    return loading;
  };
}
