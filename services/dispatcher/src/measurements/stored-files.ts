import { readStoredTotals } from '@uprez/db/queries/measurements/stored-files';
import type { Measurement } from './measurement.ts';

const states = ['writing', 'stored', 'deleting'] as const;

/** The storage used. Reads a whole index, so it runs rarely. */
export const storedFiles: Measurement = {
  name: 'files',
  sweeps: 120,
  families: [
    { name: 'stored_files', help: 'Files by state.', labels: ['state'] },
    { name: 'stored_bytes', help: 'Bytes of files by state.', labels: ['state'] },
  ],
  measure: async (db) => {
    const totals = new Map((await readStoredTotals(db)).map((row) => [row.state, row]));
    const list = (of: 'files' | 'bytes') =>
      states.map((state) => ({ labels: { state }, value: totals.get(state)?.[of] ?? 0 }));
    return { stored_files: list('files'), stored_bytes: list('bytes') };
  },
};
