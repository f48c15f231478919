/** Of one group so many messages are worked on at a time at max: the threads that run functions here are few. */
export const maxOfGroup = 100;

/**
 * Which of the waiting messages are served next, as a fair queue of SQS decides: always one of the group of which the
 * fewest are being worked on, the oldest of it first. A message without a group stands for itself.
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
      const has = group.messages.length > group.taken && group.busy < maxOfGroup;
      if (has && group.busy < (next?.busy ?? Number.POSITIVE_INFINITY)) next = group;
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

/** In the order of their oldest messages, each with as many of them as could be chosen. */
function groupsOf<Message>(
  waiting: Iterable<Message>,
  max: number,
  groupOf: (message: Message) => string | undefined,
  busy: ReadonlyMap<string, number>,
): Group<Message>[] {
  const known = new Map<string, Group<Message>>();
  const groups: Group<Message>[] = [];
  for (const message of waiting) {
    const name = groupOf(message);
    const group = name === undefined ? undefined : known.get(name);
    if (group) {
      if (group.messages.length < max) group.messages.push(message);
      continue;
    }
    const made = { messages: [message], taken: 0, busy: name === undefined ? 0 : (busy.get(name) ?? 0) };
    if (name !== undefined) known.set(name, made);
    groups.push(made);
  }
  return groups;
}
