import * as z from 'zod';

/** Queue message that wakes a worker. The worker claims any job, so the ID is only logged. */
export const wakeSchema = z.object({ jobId: z.uuid() });
export type Wake = z.infer<typeof wakeSchema>;

/** Published after each committed change of a job. Subscribers reload the job. */
export const jobChangedSchema = z.object({ jobId: z.uuid(), version: z.int() });
export type JobChanged = z.infer<typeof jobChangedSchema>;
