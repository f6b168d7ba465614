import * as z from 'zod';

/** Media type and body of an error for callers that accept it; others get the sentence as text and the code in a header. */
export const problemMediaType = 'application/problem+json';
export const errorCodeHeader = 'x-error-code';

export const problemSchema = z.object({
  code: z.string().describe('What went wrong, for programs.'),
  status: z.int(),
  detail: z.string().describe('The same as a sentence.'),
  param: z.string().optional().describe('The field that is meant, as it was spelled in the request.'),
  allowed: z.unknown().optional().describe('What it may be: a sentence, or a list.'),
  got: z.string().optional().describe('What was sent instead.'),
  meta: z.record(z.string(), z.unknown()).optional().describe('Facts of this very case.'),
});
/** Errors of `/v1` say besides which request it was, and where the code is explained. */
export const v1ProblemSchema = problemSchema.extend({
  request_id: z.string().describe('The same as the header `X-Request-Id`.'),
  documentation_url: z.string().describe('Where the code is explained.'),
  hint: z.string().optional().describe('What would help.'),
  max_scale: z.number().optional().describe('The largest factor that would be accepted, where one was refused.'),
});
export type Problem = z.infer<typeof problemSchema>;
