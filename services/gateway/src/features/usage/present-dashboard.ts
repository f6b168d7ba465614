import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { DashboardFacts } from '@uprez/domain/dashboard/get-dashboard';
import { jobFactor } from '@uprez/domain/events/record-job-event';
import { thumbnailPath } from '../jobs/present-job.ts';

/** The dashboard as `/api` answers it. */
export function presentDashboard({ recentJobs, forecast, ...facts }: DashboardFacts): Dashboard {
  return {
    ...facts,
    forecast: forecast.map(({ meter, endsAt }) => ({ meter, endsAt: endsAt.toISOString() })),
    recentActivity: recentJobs.map((job) => ({
      id: job.id,
      filename: job.filename,
      status: job.status,
      scaleFactor: jobFactor(job),
      createdAt: job.createdAt.toISOString(),
      thumbnailPath: job.hasThumbnail ? thumbnailPath(job.id) : null,
    })),
  };
}
