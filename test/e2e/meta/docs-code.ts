/** The code of a page of the docs as a person copies it, with what stands above it. */
export function codeIn(html: string): { label: string; text: string }[] {
  const figures =
    /<figure class="code"><figcaption>([^<]*)<\/figcaption><pre><code>([\s\S]*?)<\/code><\/pre><\/figure>/g;
  return [...html.matchAll(figures)].map(([, label, text]) => ({ label: label!, text: unescaped(text!) }));
}

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The commands with a label on the page of a family, by the id of their operation. */
export function examplesIn(html: string, wanted = 'curl'): Map<string, string> {
  const sections = html.split('<section class="operation" aria-labelledby="').slice(1);
  return new Map(
    sections.flatMap((section) => {
      const command = codeIn(section).find(({ label }) => label === wanted);
      return command ? [[section.slice(0, section.indexOf('"')), command.text] as const] : [];
    }),
  );
}
