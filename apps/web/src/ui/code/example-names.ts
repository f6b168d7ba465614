/** Names of the examples: each is there in every language, which the tests run. */
export const exampleNames = ['upscale', 'url', 'batch', 'dry-run', 'retry', 'webhook'] as const;
export type ExampleName = (typeof exampleNames)[number];
