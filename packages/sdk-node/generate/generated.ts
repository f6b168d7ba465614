import { fileURLToPath } from 'node:url';
import { makeFacts } from './make-facts.ts';
import { makeTypes } from './make-types.ts';

const place = (name: string) => fileURLToPath(new URL(`../src/generated/${name}.ts`, import.meta.url));

/** Generated files of the package. */
export const generated = [
  { path: place('types'), make: makeTypes },
  { path: place('facts'), make: makeFacts },
];
