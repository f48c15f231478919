/** Nobody waits for longer. Pressing the button again goes on. */
const maxRequests = 20;

/**
 * Removes a simulation. One request removes a limited number of things, so it is sent again until nothing is left.
 * @returns whether it is gone
 */
export async function removeWhole(send: () => Promise<{ removed: boolean }>): Promise<boolean> {
  for (let requests = 0; requests < maxRequests; requests++) {
    if ((await send()).removed) return true;
  }
  return false;
}
