import { createLead } from '@uprez/domain/leads/create-lead';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/** Inquiries about Enterprise. */
export function registerLeadRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('createLead', async (request, reply) => {
    await createLead(deps, { accountId: (await findUser(deps, request))?.id, lead: request.body });
    return reply.status(201).send(null);
  });
}
