import * as z from 'zod';

/** Payload of a queue message: it means "there is work", not "this job", so the id is only for the log. */
export const wakeSchema = z.object({ jobId: z.uuid() });
export type Wake = z.infer<typeof wakeSchema>;

/** Published after each committed change of a job row; a hint to read the row again. */
export const jobChangedSchema = z.object({ jobId: z.uuid(), version: z.int() });
export type JobChanged = z.infer<typeof jobChangedSchema>;
