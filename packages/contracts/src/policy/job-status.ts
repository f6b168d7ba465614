/** `expired`: the job finished and its result was deleted, by retention or by its owner. */
export const jobStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled', 'expired'] as const;
export type JobStatus = (typeof jobStatuses)[number];
/** A completed job can still become `expired`. */
export const finalStatuses = ['completed', 'failed', 'cancelled', 'expired'] as const satisfies readonly JobStatus[];
export const isFinalStatus = (status: JobStatus) => (finalStatuses as readonly JobStatus[]).includes(status);
