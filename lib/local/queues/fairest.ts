/** The maximum number of messages of one group that are processed at a time, because few threads run functions here. */
export const maxOfGroup = 100;

/**
 * On AWS every batch has a machine of its own. Here all share a few cores, so a tenant with many messages would slow
 * down the messages of the others. While others have messages too, so many of a tenant may have begun a moment ago.
 * Messages that take long do not count: they wait for somebody, and use no core.
 */
const maxBesideOthers = 2;

/** The messages that a mapping is processing. */
export interface InProcess {
  /** Their number, by group. */
  busy: ReadonlyMap<string, number>;
  /** How many of them began a moment ago, by tenant. A tenant that has had messages a moment ago is there with 0. */
  recent: ReadonlyMap<string, number>;
}

/** Groups that begin with the same name belong to one tenant: `shop#endpoint`. */
export const tenantOf = (group: string): string => group.split('#', 1)[0]!;

/**
 * The waiting messages to serve next, chosen like a fair queue of SQS: always the oldest message of the group with the
 * fewest messages in process. A message without a group is its own group.
 */
export function fairest<Message>(
  waiting: Iterable<Message>,
  max: number,
  groupOf: (message: Message) => string | undefined,
  { busy, recent }: InProcess,
): Message[] {
  const groups = groupsOf(waiting, max, groupOf, busy);
  const begun = new Map(recent);
  for (const { tenant } of groups) begun.set(tenant, begun.get(tenant) ?? 0);
  const maxOfTenant = begun.size > 1 ? maxBesideOthers : Number.POSITIVE_INFINITY;
  const isAvailable = (group: Group<Message>) =>
    group.messages.length > group.taken && group.busy < maxOfGroup && begun.get(group.tenant)! < maxOfTenant;
  const chosen: Message[] = [];
  while (chosen.length < max) {
    let next: Group<Message> | undefined;
    for (const group of groups) {
      if (isAvailable(group) && group.busy < (next?.busy ?? Number.POSITIVE_INFINITY)) next = group;
    }
    if (!next) break;
    chosen.push(next.messages[next.taken++]!);
    next.busy++;
    begun.set(next.tenant, begun.get(next.tenant)! + 1);
  }
  return chosen;
}

interface Group<Message> {
  tenant: string;
  messages: Message[];
  taken: number;
  busy: number;
}

/** Sorted by their oldest message, each with at most as many messages as can be chosen. */
function groupsOf<Message>(
  waiting: Iterable<Message>,
  max: number,
  groupOf: (message: Message) => string | undefined,
  busy: ReadonlyMap<string, number>,
): Group<Message>[] {
  const byName = new Map<string, Group<Message>>();
  const groups: Group<Message>[] = [];
  for (const message of waiting) {
    const name = groupOf(message);
    const group = name === undefined ? undefined : byName.get(name);
    if (group) {
      if (group.messages.length < max) group.messages.push(message);
      continue;
    }
    const tenant = name === undefined ? '' : tenantOf(name);
    const newGroup = { tenant, messages: [message], taken: 0, busy: name === undefined ? 0 : (busy.get(name) ?? 0) };
    if (name !== undefined) byName.set(name, newGroup);
    groups.push(newGroup);
  }
  return groups;
}
