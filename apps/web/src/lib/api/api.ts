import { errorCodeHeader } from '@uprez/client/api-error';
import { createClient } from '@uprez/client/create-client';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';

const stepUpErrorCode: ErrorCode = 'step_up_required';

/** Fetches a URL. If the call requires a recent password or code, asks for it and sends the same request again. */
export async function fetchWithStepUp(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.headers.get(errorCodeHeader) !== stepUpErrorCode) return response;
  return (await (await import('./step-up.ts')).requestProof()) ? fetch(url, init) : response;
}

export const api = createClient(apiRoutes, { fetch: fetchWithStepUp });
