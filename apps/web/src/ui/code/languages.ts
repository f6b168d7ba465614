/** The languages of the examples in their order, with file extension and name. */
export const languages = {
  curl: { name: 'curl', ending: 'sh' },
  node: { name: 'Node', ending: 'mjs' },
  python: { name: 'Python', ending: 'py' },
  php: { name: 'PHP', ending: 'php' },
  go: { name: 'Go', ending: 'go' },
} as const;
export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as [Language, ...Language[]];

/** Names of the examples. Each exists in every language and is run by tests. */
export const exampleNames = ['upscale', 'url', 'batch', 'dry-run', 'retry', 'webhook'] as const;
export type ExampleName = (typeof exampleNames)[number];
