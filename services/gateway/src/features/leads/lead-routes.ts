import { createLead } from '@uprez/domain/leads/create-lead';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import type { Dialect } from '../dialect.ts';

/** Inquiries about Enterprise. */
export function registerLeadRoutes({ route }: Dialect, deps: Deps): void {
  route('createLead', async (request, reply) => {
    await createLead(deps, { accountId: (await findUser(deps, request))?.id, lead: request.body });
    return reply.status(201).send(null);
  });
}
