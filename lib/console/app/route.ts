import type { ComponentType } from 'preact';
import type { OperationId } from '../api/client.ts';
import type { TextKey } from '../texts/texts.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Params } from './router.ts';

export interface ViewProps {
  params: Params;
}

/** A view with its address. */
export interface Route {
  /** Below `/console`, with `:names` for what changes: `/s/:shop/orders/:id`. */
  path: string;
  /** The title of the view, for the browser's tab and history. A view may set a better one with `useTitle`. */
  title: TextKey;
  /** Loads the view when it is opened first. */
  view: () => Promise<{ default: ComponentType<ViewProps> }>;
  /** The operation that the view cannot do without: others are not offered it. */
  needs: OperationId;
  /** Its place in the navigation. */
  nav?: { group: NavGroup; icon: IconName };
}

export const navGroups = ['overview', 'support', 'developers', 'marketing', 'admin', 'operator'] as const;
export type NavGroup = (typeof navGroups)[number];
