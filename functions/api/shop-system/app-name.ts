/**
 * The technical name of the shop's app. The shop takes it from the manifest, and the proof of the handshake covers it, so it
 * never changes. One installation can have the apps of several of our shops.
 */
export function appName(slug: string): string {
  const words = slug.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `PostPurchase${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`;
}
