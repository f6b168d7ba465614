import { AppError } from '@uprez/contracts/errors/app-error';
import { exportLeads, inviteLead, listLeads, sendCheckoutLink } from '@uprez/domain/admin/leads';
import { createLead } from '@uprez/domain/leads/create-lead';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { findUser, requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { leadColumns } from '../admin/export-columns.ts';
import { sendExport } from '../admin/send-export.ts';

export const leadHandlers = (deps: Deps) =>
  defineHandlers({
    createLead: async (request, reply) => {
      await createLead(deps, { accountId: (await findUser(deps, request))?.id, lead: request.body });
      return reply.status(201).send(null);
    },
  });

export const adminLeadHandlers = (deps: Deps) => {
  const open = async (request: FastifyRequest) => {
    if (!deps.config.payments) throw new AppError('billing_not_configured');
    return { admin: await requireAdmin(deps, request) };
  };
  return defineHandlers({
    adminListLeads: async (request, reply) => rowsOfPage(reply, await listLeads(deps, request.query)),
    adminExportLeads: async (request, reply) => {
      const pages = await exportLeads(deps, request.query);
      return sendExport(reply, { name: 'leads', columns: leadColumns, pages, query: request.query });
    },
    adminSendCheckoutLink: async (request) =>
      sendCheckoutLink(deps, { ...(await open(request)), id: request.params.id, ...request.body }),
    adminInviteLead: async (request) => inviteLead(deps, { ...(await open(request)), ...request.body }),
  });
};
