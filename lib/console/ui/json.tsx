interface JsonProps {
  value: unknown;
  name?: string;
  /** How many levels are open at first. */
  open?: number;
}

/** Formatted, foldable, and only ever text. */
export function Json({ value, name, open = 2 }: JsonProps) {
  const label = name === undefined ? null : <span class="json-name">{JSON.stringify(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-leaf">
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [start, end] = isList ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <div class="json-leaf">
        {label}
        {start}
        {end}
      </div>
    );
  }
  return (
    <details class="json" open={open > 0}>
      <summary>
        {label}
        {start}
        <span class="muted"> {entries.length} </span>
        {end}
      </summary>
      {entries.map(([key, inner]) => (
        <Json key={key} value={inner} {...(!isList && { name: key })} open={open - 1} />
      ))}
    </details>
  );
}
