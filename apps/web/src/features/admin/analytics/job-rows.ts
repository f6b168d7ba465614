import type { JobFilter } from '../jobs/links.ts';
import type { Rows } from './row-link.tsx';

/** The first and the last day of a period (UTC). */
export type Days = { from: string; to: string };

const jobsOf = (view: 'ended' | 'delivered', { from, to }: Days, filter: JobFilter): Rows => ({
  page: 'jobs',
  filter: { view, from, to, ...filter },
});

/** Jobs that ended in a period. */
export const endedRows = (days: Days, filter: JobFilter = {}): Rows => jobsOf('ended', days, filter);

/** Images that were delivered in a period. */
export const deliveredRows = (days: Days, filter: JobFilter = {}): Rows => jobsOf('delivered', days, filter);
