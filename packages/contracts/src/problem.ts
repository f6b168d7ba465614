import * as z from 'zod';

/** Media type and body of an error for callers that accept it; others get the sentence as text and the code in a header. */
export const problemMediaType = 'application/problem+json';
export const errorCodeHeader = 'x-error-code';

export const problemSchema = z.object({
  code: z.string(),
  status: z.int(),
  detail: z.string(),
  param: z.string().optional(),
  allowed: z.unknown().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
/** Errors of `/v1` say besides which request it was, and where the code is explained. */
export const v1ProblemSchema = problemSchema.extend({
  request_id: z.string(),
  documentation_url: z.string(),
  /** What would help. */
  hint: z.string().optional(),
  /** The largest factor that would be accepted, where one was refused. */
  max_scale: z.number().optional(),
});
export type Problem = z.infer<typeof problemSchema>;
