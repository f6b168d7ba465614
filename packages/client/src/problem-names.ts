import type { errorCodeHeader as codeHeader, problemMediaType as mediaType } from '@uprez/contracts/errors/problem';

// Copies, because their home loads a validator that the browser does without; the types make a difference an error.
export const problemMediaType: typeof mediaType = 'application/problem+json';
export const errorCodeHeader: typeof codeHeader = 'x-error-code';
/** Names the job, when the error is one of a job. */
export const jobIdHeader = 'x-job-id';
