import { createLead } from '@uprez/domain/leads/create-lead';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';

/** Handler for Enterprise inquiries. */
export const leadHandlers = (deps: Deps) =>
  defineHandlers({
    createLead: async (request, reply) => {
      await createLead(deps, { accountId: (await findUser(deps, request))?.id, lead: request.body });
      return reply.status(201).send(null);
    },
  });
