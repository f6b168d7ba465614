import type { JobFilter } from '../jobs/links.ts';
import type { Rows } from './row-link.tsx';

/** The first and the last day of a period (UTC). */
export type Days = { from: string; to: string };

const jobRows = (view: 'ended' | 'delivered', { from, to }: Days, filter: JobFilter): Rows => ({
  page: 'jobs',
  filter: { view, from, to, ...filter },
});

/** Page and filters that list the jobs that ended in a period. */
export const endedRows = (days: Days, filter: JobFilter = {}): Rows => jobRows('ended', days, filter);

/** Page and filters that list the images that were delivered in a period. */
export const deliveredRows = (days: Days, filter: JobFilter = {}): Rows => jobRows('delivered', days, filter);
