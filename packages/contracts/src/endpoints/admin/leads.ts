import * as z from 'zod';
import {
  adminLeadSchema,
  inviteLeadBodySchema,
  leadsExportSchema,
  leadsQuerySchema,
  sendCheckoutLinkBodySchema,
} from '../../schemas/billing/admin-leads.ts';
import { bytes, defineAdminEndpoints, idParams } from '../endpoint.ts';

const sendErrors = ['billing_not_configured', 'price_not_found', 'already_subscribed', 'rate_limited'] as const;

/** Administration of Enterprise inquiries and checkout links. */
export const adminLeadEndpoints = defineAdminEndpoints({
  adminListLeads: {
    route: 'GET /api/admin/payments/leads',
    permission: 'leads.read',
    query: leadsQuerySchema,
    answers: { 200: z.array(adminLeadSchema) },
  },
  adminExportLeads: {
    route: 'GET /api/admin/payments/leads/export',
    permission: 'leads.read',
    query: leadsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminSendCheckoutLink: {
    route: 'POST /api/admin/payments/leads/:id/link',
    permission: 'payments.manage',
    params: idParams,
    body: sendCheckoutLinkBodySchema,
    answers: { 200: adminLeadSchema },
    errors: ['lead_not_found', ...sendErrors],
  },
  adminInviteLead: {
    route: 'POST /api/admin/payments/leads',
    permission: 'payments.manage',
    body: inviteLeadBodySchema,
    answers: { 200: adminLeadSchema },
    errors: sendErrors,
  },
});
