import * as z from 'zod';

/** Queue message that wakes a worker. The worker claims any job, so the ID is only logged. */
export const wakeMessageSchema = z.object({ jobId: z.uuid() });
export type WakeMessage = z.infer<typeof wakeMessageSchema>;

/** Published after each committed change of a job. Subscribers reload the job. */
export const jobChangedMessageSchema = z.object({ jobId: z.uuid(), version: z.int() });
export type JobChangedMessage = z.infer<typeof jobChangedMessageSchema>;
