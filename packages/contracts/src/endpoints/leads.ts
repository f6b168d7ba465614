import * as z from 'zod';
import {
  adminLeadSchema,
  inviteLeadBodySchema,
  leadFilterSchema,
  leadsQuerySchema,
  sendCheckoutLinkBodySchema,
} from '../schemas/billing/admin-leads.ts';
import { bytes, defineEndpoints, idParams } from './endpoint.ts';

const sendErrors = ['billing_not_configured', 'price_not_found', 'already_subscribed', 'rate_limited'] as const;

/** Administration of Enterprise inquiries and checkout links. */
export const adminLeadEndpoints = defineEndpoints('admin', {
  adminListLeads: { query: leadsQuerySchema, answers: { 200: z.array(adminLeadSchema) } },
  adminExportLeads: { query: leadFilterSchema, answers: { 200: bytes }, errors: ['export_too_large'] },
  adminSendCheckoutLink: {
    params: idParams,
    body: sendCheckoutLinkBodySchema,
    answers: { 200: adminLeadSchema },
    errors: ['lead_not_found', ...sendErrors],
  },
  adminInviteLead: { body: inviteLeadBodySchema, answers: { 200: adminLeadSchema }, errors: sendErrors },
});
