/** Public states of a job. `expired` is a finished job whose result is gone (by retention or by its owner). */
export const jobStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled', 'expired'] as const;
export type JobStatus = (typeof jobStatuses)[number];
/** States that a job never leaves by itself (a finished job may still become `expired`). */
export const finalStatuses = ['completed', 'failed', 'cancelled', 'expired'] as const satisfies readonly JobStatus[];
export const isFinal = (status: JobStatus) => (finalStatuses as readonly JobStatus[]).includes(status);
