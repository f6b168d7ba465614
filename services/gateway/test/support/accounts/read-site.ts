/** Returns what the home page tells search engines about the site. */
export const readSite = (html: string): Record<string, string> =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}') as Record<string, string>;
