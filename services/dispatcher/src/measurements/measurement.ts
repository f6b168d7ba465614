import type { MeasuredSample } from '@uprez/contracts/schemas/measurements';
import type { Db } from '@uprez/db/database';

export type Family = { name: string; help: string; labels: readonly string[] };

/** Metrics that one dispatcher at a time reads from PostgreSQL, every `sweeps` times `SWEEP_S`. */
export type Measurement = {
  name: string;
  sweeps: number;
  families: readonly Family[];
  /** Returns the samples by the name of their family. */
  measure: (db: Db) => Promise<Record<string, MeasuredSample[]>>;
};

/** Makes a sample without labels. */
export const single = (value: number): MeasuredSample[] => [{ labels: {}, value }];
