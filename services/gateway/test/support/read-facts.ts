const scripts = /<script type="application\/ld\+json" data-page>(.*?)<\/script>/gs;

/** Returns the structured data of a page: what it tells search engines about itself. */
export const readFacts = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(scripts)].map(([, json = '']) => JSON.parse(json) as Record<string, unknown>);
