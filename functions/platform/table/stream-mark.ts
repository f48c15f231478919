import { required } from '#platform/environment.ts';
import type { ItemKind } from '#schemas/catalogues/stream-kinds.ts';

/**
 * Marks an item for the function that reads its kind from the stream. A table of several regions streams every write in
 * all of them, so the item also names the region that wrote it, and only that one reads it.
 */
export const streamMark = <K extends ItemKind>(kind: K) => ({ kind, region: ownRegion() });

/** Lambda sets the variable. An item without a region would never be read. */
export const ownRegion = () => required('AWS_REGION');
