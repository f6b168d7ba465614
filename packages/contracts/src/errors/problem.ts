import * as z from 'zod';

/** Media type of errors. Clients that don't accept it get the message as text, and the code in a header. */
export const problemMediaType = 'application/problem+json';
export const errorCodeHeader = 'x-error-code';

export const problemSchema = z.object({
  code: z.string().describe('Error code.'),
  status: z.int().describe('Status code of the response.'),
  detail: z.string().describe('Explanation of the error.'),
  param: z.string().optional().describe('Name of the invalid field, as sent in the request.'),
  allowed: z.unknown().optional().describe('Allowed values, as a phrase or a list.'),
  got: z.string().optional().describe('Value that was sent.'),
  meta: z.record(z.string(), z.unknown()).optional().describe('Additional details.'),
});
export const v1ProblemSchema = problemSchema.extend({
  request_id: z.string().describe('ID of the request. Same as the `X-Request-Id` header.'),
  documentation_url: z.string().describe("URL of the error code's documentation."),
  hint: z.string().optional().describe('How to fix the error.'),
  max_scale: z.number().optional().describe('Largest accepted scale factor, if the scale factor was rejected.'),
});
export type Problem = z.infer<typeof problemSchema>;
