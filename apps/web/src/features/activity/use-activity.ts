import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { dashboardRules } from '@uprez/contracts/policy/admin/dashboard-rules';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { useEffect } from 'react';
import { api } from '../../lib/api/api.ts';
import { subscribeToJobs } from '../../lib/api/job-events.ts';

type ActivityPage = { jobs: Job[]; total: number; next: string | undefined };
export type ActivityPages = InfiniteData<ActivityPage>;

export type ActivityFilter = { status: JobStatus | undefined; search: string };

/** Whether a job matches a filter, by the same rules as on the server. */
const matchesFilter = (job: Pick<Job, 'status' | 'filename'>, { status, search }: ActivityFilter) =>
  (status === undefined || job.status === status) && job.filename.toLowerCase().includes(search.toLowerCase());
const isNewer = (job: Job, other: Job | undefined) => !other || job.createdAt > other.createdAt;

/**
 * Applies a job event to a list. Replaces the job if it is in the list, or removes it if it no longer matches the
 * filter. Prepends it if it is new.
 */
export function applyJobEvent(data: ActivityPages, job: Job, filter: ActivityFilter): ActivityPages {
  const isKnown = data.pages.some(({ jobs }) => jobs.some(({ id }) => id === job.id));
  if (isKnown) return matchesFilter(job, filter) ? replaceJob(data, job) : removeJob(data, job.id);
  const [first, ...rest] = data.pages;
  if (!first || !matchesFilter(job, filter) || !isNewer(job, first.jobs[0])) return data;
  return adjustTotals({ ...data, pages: [{ ...first, jobs: [job, ...first.jobs] }, ...rest] }, 1);
}

/**
 * Whether the list disagrees with the newest jobs: a job is missing, has another status, or no longer matches the
 * filter.
 */
export function isOutdated(
  data: ActivityPages,
  newest: readonly Pick<Job, 'id' | 'status' | 'filename'>[],
  filter: ActivityFilter,
): boolean {
  const known = new Map(data.pages.flatMap(({ jobs }) => jobs).map(({ id, status }) => [id, status]));
  return newest.some((job) => (matchesFilter(job, filter) ? known.get(job.id) !== job.status : known.has(job.id)));
}

function replaceJob(data: ActivityPages, job: Job): ActivityPages {
  const pages = data.pages.map((page) => ({ ...page, jobs: page.jobs.map((old) => (old.id === job.id ? job : old)) }));
  return { ...data, pages };
}

function removeJob(data: ActivityPages, id: string): ActivityPages {
  const pages = data.pages.map((page) => ({ ...page, jobs: page.jobs.filter((job) => job.id !== id) }));
  return adjustTotals({ ...data, pages }, -1);
}

const adjustTotals = (data: ActivityPages, by: number): ActivityPages => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, total: page.total + by })),
});

export const activityKey = [apiRoutes.listJobs.path, 'list'] as const;
const filteredKey = (filter: ActivityFilter) => [...activityKey, filter] as const;

/** Reads the account's jobs by page, newest first. Refetches them on every visit. */
export const useActivity = ({ status, search }: ActivityFilter) =>
  useInfiniteQuery({
    queryKey: filteredKey({ status, search }),
    queryFn: async ({ pageParam: cursor, signal }): Promise<ActivityPage> => {
      const query = { status, search: search || undefined, cursor, limit: dashboardRules.recentActivity };
      const { data: jobs, headers } = await api.listJobs({ query, signal });
      const next = headers.has('link') ? jobs.at(-1)?.id : undefined;
      return { jobs, next, total: Number(headers.get('x-total-count') ?? jobs.length) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });

/**
 * Updates a list from job events. Compares the list with the polled newest jobs, and refetches it if events were
 * missed.
 */
export function useLiveActivity(
  { status, search }: ActivityFilter,
  newest: Dashboard['recentActivity'] | undefined,
): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const filter = { status, search };
    return subscribeToJobs((job) =>
      queryClient.setQueryData<ActivityPages>(filteredKey(filter), (data) => data && applyJobEvent(data, job, filter)),
    );
  }, [queryClient, status, search]);
  useEffect(() => {
    const filter = { status, search };
    const data = queryClient.getQueryData<ActivityPages>(filteredKey(filter));
    if (newest && data && isOutdated(data, newest, filter))
      void queryClient.invalidateQueries({ queryKey: filteredKey(filter) });
  }, [queryClient, newest, status, search]);
}
