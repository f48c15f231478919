/** The maximum number of messages of one group that are processed at a time, because few threads run functions here. */
export const maxOfGroup = 100;

/**
 * The waiting messages to serve next, chosen like a fair queue of SQS: always the oldest message of the group with the
 * fewest messages in process. A message without a group is its own group.
 */
export function fairest<Message>(
  waiting: Iterable<Message>,
  max: number,
  groupOf: (message: Message) => string | undefined,
  busy: ReadonlyMap<string, number>,
): Message[] {
  const groups = groupsOf(waiting, max, groupOf, busy);
  const chosen: Message[] = [];
  while (chosen.length < max) {
    let next: Group<Message> | undefined;
    for (const group of groups) {
      const isAvailable = group.messages.length > group.taken && group.busy < maxOfGroup;
      if (isAvailable && group.busy < (next?.busy ?? Number.POSITIVE_INFINITY)) next = group;
    }
    if (!next) break;
    chosen.push(next.messages[next.taken++]!);
    next.busy++;
  }
  return chosen;
}

interface Group<Message> {
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
    const newGroup = { messages: [message], taken: 0, busy: name === undefined ? 0 : (busy.get(name) ?? 0) };
    if (name !== undefined) byName.set(name, newGroup);
    groups.push(newGroup);
  }
  return groups;
}
