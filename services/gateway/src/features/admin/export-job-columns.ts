import type { AdminJob } from '@uprez/contracts/schemas/admin-jobs';
import { type ExportColumns, yesNo } from './send-export.ts';

export const jobColumns: ExportColumns<'jobs', AdminJob> = {
  job: { job: ({ id }) => id, kind: ({ kind }) => kind, filename: ({ filename }) => filename },
  account: {
    account: ({ account }) => account?.id ?? null,
    email: ({ account }) => account?.email ?? null,
    plan: ({ tier }) => tier,
  },
  status: {
    status: ({ status }) => status,
    error: ({ errorCode }) => errorCode,
    stuck: ({ isStuck }) => yesNo(isStuck),
  },
  engine: { engine: ({ engine }) => engine, paused: ({ isPaused }) => yesNo(isPaused) },
  attempts: { attempts: ({ attempt }) => attempt, failures: ({ failures }) => failures },
  created: { created: ({ createdAt }) => createdAt, started: ({ startedAt }) => startedAt },
  finished: { finished: ({ finishedAt }) => finishedAt },
};
