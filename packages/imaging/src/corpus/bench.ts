import type { KeptChild } from './keep-child.ts';
import type { CorpusJob } from './read-corpus-arguments.ts';

/** What every file is run with. */
export type Bench = Pick<CorpusJob, 'folder' | 'recipe' | 'maxJobSeconds'> & {
  inspector: KeptChild;
  engine: KeptChild;
};
