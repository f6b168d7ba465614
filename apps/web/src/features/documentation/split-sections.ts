/** Matches elements that text search skips: headings, code, and controls. */
const skippedElementPattern = /<(figure|details|svg|button|h2|h3)\b[\s\S]*?<\/\1>/g;
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

const toText = (markup: string): string =>
  markup
    // Removes inline tags without leaving a space, because inline code is part of its sentence. Replaces other tags
    // with a space, to separate the words of neighboring blocks.
    .replace(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the text between each ID in a page's HTML and the next ID. */
export function splitSections(markup: string, ids: readonly string[]): Record<string, string> {
  const html = markup.replace(skippedElementPattern, ' ');
  const starts = ids
    .map((id) => ({ id, at: html.indexOf(` id="${id}"`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  const texts = starts.map(({ id, at }, index) => {
    const part = html.slice(html.indexOf('>', at) + 1, starts[index + 1]?.at ?? html.length);
    // Removes the opening tag that contains the next ID.
    return [id, toText(part.replace(/<[^>]*$/, ''))] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}
