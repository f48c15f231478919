/**
 * The filters of an endpoint after a whole group, such as `shipments/delivered` or `claims`, was chosen or not.
 * @param groups the filters of all groups
 * @param refs the single events of this group
 */
export function withGroup(
  value: readonly string[],
  group: string,
  isChosen: boolean,
  groups: readonly string[],
  refs: readonly string[],
): string[] {
  const rest = expanded(value, group, groups).filter((one) => one !== group && !refs.includes(one));
  return isChosen ? [...rest, group] : rest;
}

/** `shipments` stands for all groups of shipments. To leave out one, the others are named. */
function expanded(value: readonly string[], group: string, groups: readonly string[]): readonly string[] {
  const source = group.split('/')[0]!;
  if (source === group || !value.includes(source)) return value;
  const own = groups.filter((one) => one.startsWith(`${source}/`));
  return [...new Set([...value.filter((one) => one !== source), ...own])];
}
