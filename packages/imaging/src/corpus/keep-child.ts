import { type ChildKind, type CorpusChild, openCorpusChild } from './open-corpus-child.ts';

export type KeptChild = {
  name: ChildKind['name'];
  /** The warm child; another when the last one has ended. Throws Error when it does not start. */
  get: () => Promise<CorpusChild>;
  /** End the child and start no other. */
  close: () => Promise<void>;
};

/** Keep one warm child of a kind, replaced when it dies. */
export function keepChild(kind: ChildKind): KeptChild {
  let child: CorpusChild | undefined;
  return {
    name: kind.name,
    get: async () => {
      if (!child?.alive()) child = await openCorpusChild(kind);
      return child;
    },
    close: async () => child?.close(),
  };
}
