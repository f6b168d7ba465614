import { AppError } from '@uprez/contracts/errors/app-error';
import { exportLeads, listLeads } from '@uprez/domain/admin/leads/list-leads';
import { inviteLead, sendCheckoutLink } from '@uprez/domain/admin/leads/send-checkout-link';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { leadColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

/** Handlers for Enterprise inquiries and checkout links. */
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
