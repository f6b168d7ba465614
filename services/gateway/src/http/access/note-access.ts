import type { FastifyRequest } from 'fastify';

/** What a request turned out to be about, for the access log. */
export type AccessFacts = {
  /** The account: of the session or the API key, or the one that a proof is for. */
  userId?: string;
  /** The administrator who made the call. */
  staffId?: string;
  keyId?: string;
  /** Whether a sign-in was the first one on its device. */
  isNewDevice?: boolean;
  /** Whether the account is locked if the proof is wrong. */
  isLastAttempt?: boolean;
};

const known = new WeakMap<FastifyRequest, AccessFacts>();

/** Adds to what is known about a request. */
export function noteAccess(request: FastifyRequest, facts: AccessFacts): void {
  const before = known.get(request);
  if (before) Object.assign(before, facts);
  else known.set(request, { ...facts });
}

export const accessFacts = (request: FastifyRequest): AccessFacts => known.get(request) ?? {};

/** For verbs that check a proof: notes the account that it is for. */
export const noteAccount = (request: FastifyRequest) => ({
  onAccount: (userId: string) => noteAccess(request, { userId }),
  onLastAttempt: () => noteAccess(request, { isLastAttempt: true }),
});
