import { routes } from '@uprez/contracts/endpoints/routes';

/** Query key of a job. */
export const jobKey = (id: string | undefined) => [routes.listJobs.path, id] as const;
