/** Names of the examples. Each exists in every language and is run by tests. */
export const exampleNames = ['upscale', 'url', 'batch', 'dry-run', 'retry', 'webhook'] as const;
export type ExampleName = (typeof exampleNames)[number];
