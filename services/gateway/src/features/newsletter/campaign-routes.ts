import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import { getCampaign, listCampaigns } from '@uprez/domain/newsletter/campaigns/get-campaign';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
} from '@uprez/domain/newsletter/campaigns/move-campaign';
import { testCampaign } from '@uprez/domain/newsletter/campaigns/test-campaign';
import { createCampaign, deleteCampaign, updateCampaign } from '@uprez/domain/newsletter/campaigns/write-campaign';
import {
  deleteSubscriber,
  exportSubscribers,
  listSubscribers,
} from '@uprez/domain/newsletter/subscribers/list-subscribers';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { type ExportColumns, sendExport } from '../admin/send-export.ts';

const subscriberColumns: ExportColumns<'subscribers', Subscriber> = {
  subscriber: { subscriber: ({ id }) => id, email: ({ email }) => email },
  state: { state: ({ state }) => state, ended: ({ endedAt }) => endedAt },
  topics: {
    topics: ({ topics }) => topics.join(' ') || null,
    services: ({ services }) => services.join(' ') || null,
  },
  source: { source: ({ source }) => source },
  confirmed: { confirmed: ({ confirmedAt }) => confirmedAt },
  created: { created: ({ createdAt }) => createdAt },
};

export const subscriberHandlers = (deps: Deps) =>
  defineHandlers({
    adminListSubscribers: async (request, reply) => {
      const isMasked = areEmailsMasked(request);
      return rowsOfPage(reply, await listSubscribers(deps, { ...request.query, isMasked }));
    },
    adminExportSubscribers: async (request, reply) => {
      const pages = await exportSubscribers(deps, { ...request.query, isMasked: areEmailsMasked(request) });
      return sendExport(reply, { name: 'subscribers', columns: subscriberColumns, pages, query: request.query });
    },
    adminDeleteSubscriber: async (request, reply) => {
      await deleteSubscriber(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
  });

export const campaignHandlers = (deps: Deps) =>
  defineHandlers({
    adminListCampaigns: async (request, reply) => rowsOfPage(reply, await listCampaigns(deps, request.query)),
    adminGetCampaign: (request) => getCampaign(deps, request.params.id),
    adminCreateCampaign: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      return reply.status(201).send(await createCampaign(deps, { admin, campaign: request.body }));
    },
    adminUpdateCampaign: async (request) =>
      updateCampaign(deps, { ...(await requireAdminAndId(deps, request)), changes: request.body }),
    adminDeleteCampaign: async (request, reply) => {
      await deleteCampaign(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
    adminTestCampaign: async (request, reply) => {
      const publicUrl = deps.config.PUBLIC_URL;
      return reply
        .status(202)
        .send(await testCampaign(deps, { ...(await requireAdminAndId(deps, request)), publicUrl }));
    },
  });

export const sendingHandlers = (deps: Deps) =>
  defineHandlers({
    adminScheduleCampaign: async (request) =>
      scheduleCampaign(deps, { ...(await requireAdminAndId(deps, request)), ...request.body }),
    adminSendCampaign: async (request) =>
      sendCampaign(deps, { ...(await requireAdminAndId(deps, request)), ...request.body }),
    adminPauseCampaign: async (request) => pauseCampaign(deps, await requireAdminAndId(deps, request)),
    adminResumeCampaign: async (request) => resumeCampaign(deps, await requireAdminAndId(deps, request)),
    adminCancelCampaign: async (request) => cancelCampaign(deps, await requireAdminAndId(deps, request)),
  });
