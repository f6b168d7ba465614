import { errorCodeHeader } from '@uprez/client/api-error';
import { createClient } from '@uprez/client/create-client';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';

const required: ErrorCode = 'step_up_required';

export const api = createClient({
  /** A call that needs a recent password or code asks for it, and is sent again with the same data. */
  fetch: async (url, init) => {
    const response = await fetch(url, init);
    if (response.headers.get(errorCodeHeader) !== required) return response;
    return (await (await import('./step-up.ts')).askForProof()) ? fetch(url, init) : response;
  },
});
