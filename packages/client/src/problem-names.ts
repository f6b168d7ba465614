import type { errorCodeHeader as codeHeader, problemMediaType as mediaType } from '@uprez/contracts/errors/problem';

// Copies, because importing them would load zod in the browser. The types keep them equal to the originals.
export const problemMediaType: typeof mediaType = 'application/problem+json';
export const errorCodeHeader: typeof codeHeader = 'x-error-code';
/** ID of the job that an error belongs to. */
export const jobIdHeader = 'x-job-id';
