import { Fragment } from 'preact';

/** An address that goes on in the next line after a slash, and not in the middle of a word. */
export const Url = ({ url }: { url: string }) => (
  <>
    {url.split(/(?<=\/)(?!\/)/).map((part, i) => (
      <Fragment key={i}>
        {i > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);
