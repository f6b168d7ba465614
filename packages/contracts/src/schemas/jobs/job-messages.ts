import * as z from 'zod';

/** Queue message that wakes a worker. The ID is only for logs, because the worker can claim any job. */
export const wakeMessageSchema = z.object({ jobId: z.uuid() });
export type WakeMessage = z.infer<typeof wakeMessageSchema>;

/** Published after each committed change to a job. Subscribers then reload the job. */
export const jobChangedMessageSchema = z.object({ jobId: z.uuid(), version: z.int() });
export type JobChangedMessage = z.infer<typeof jobChangedMessageSchema>;
