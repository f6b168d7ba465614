import { fileURLToPath } from 'node:url';
import { makeFacts } from './make-facts.ts';
import { makeTools } from './make-tools.ts';

const place = (name: string) => fileURLToPath(new URL(`../src/generated/${name}.ts`, import.meta.url));

/** Generated files of the package. */
export const generated = [
  { path: place('facts'), make: makeFacts },
  { path: place('tools'), make: makeTools },
];
