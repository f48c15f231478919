import { Fragment } from 'preact';

/** A topic goes on in the next line after a point or a dash, and not in the middle of a word. */
export const Topic = ({ topic }: { topic: string }) => (
  <code class="topic">
    {topic.split(/(?<=[./_])/).map((part, i) => (
      <Fragment key={i}>
        {i > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </code>
);
