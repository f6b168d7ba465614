import * as z from 'zod';
import {
  campaignRowSchema,
  campaignSchema,
  campaignsQuerySchema,
  campaignVersionSchema,
  createCampaignBodySchema,
  scheduleCampaignBodySchema,
  testedCampaignSchema,
  updateCampaignBodySchema,
} from '../schemas/newsletter/campaigns.ts';
import {
  confirmedSubscriptionSchema,
  interestsBodySchema,
  linkQuerySchema,
  linkTokenSchema,
  subscribeBodySchema,
  subscriberSchema,
  subscribersExportSchema,
  subscribersQuerySchema,
  subscriptionSchema,
  unsubscribeQuerySchema,
} from '../schemas/newsletter/subscribers.ts';
import { bytes, defineAdminEndpoints, defineEndpoints, idParams, nothing } from './endpoint.ts';

const invalid = ['invalid_token'] as const;
const missing = ['campaign_not_found'] as const;
/** Errors of steps that a campaign can take in some states only. */
const stepErrors = [...missing, 'campaign_state'] as const;
const send = 'newsletter.send';

/** Subscribing, and the links in emails. */
export const newsletterEndpoints = {
  ...defineEndpoints('none', {
    /** Answers the same for all email addresses. */
    subscribe: {
      route: 'POST /api/newsletter/subscriptions',
      body: subscribeBodySchema,
      answers: { 202: z.object({ message: z.string() }) },
    },
    /** A form is answered with a page, for people without JavaScript. */
    confirmSubscription: {
      route: 'POST /api/newsletter/confirm',
      body: linkTokenSchema,
      answers: { 200: confirmedSubscriptionSchema, 303: nothing },
      errors: invalid,
    },
    getSubscription: {
      route: 'GET /api/newsletter/subscription',
      query: linkQuerySchema,
      answers: { 200: subscriptionSchema },
      errors: invalid,
    },
    updateSubscription: {
      route: 'PUT /api/newsletter/subscription',
      query: linkQuerySchema,
      body: interestsBodySchema,
      answers: { 200: subscriptionSchema },
      errors: invalid,
    },
    /** One-click unsubscribe (RFC 8058): any body, without a cookie, from any origin. */
    unsubscribe: {
      route: 'POST /api/newsletter/unsubscribe',
      query: unsubscribeQuerySchema,
      answers: { 200: subscriptionSchema, 303: nothing },
      errors: invalid,
    },
    /** Redirects to the page with the button, because mail programs that don't know RFC 8058 open the same URL. */
    unsubscribePage: {
      route: 'GET /api/newsletter/unsubscribe',
      query: unsubscribeQuerySchema,
      answers: { 303: nothing },
    },
  }),
  ...defineAdminEndpoints({
    adminListSubscribers: {
      route: 'GET /api/admin/newsletter/subscribers',
      permission: 'content.read',
      query: subscribersQuerySchema,
      answers: { 200: z.array(subscriberSchema) },
    },
    adminExportSubscribers: {
      route: 'GET /api/admin/newsletter/subscribers/export',
      permission: 'content.read',
      query: subscribersExportSchema,
      answers: { 200: bytes },
      errors: ['export_too_large'],
    },
    adminDeleteSubscriber: {
      route: 'DELETE /api/admin/newsletter/subscribers/:id',
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: ['subscriber_not_found'],
    },
    adminListCampaigns: {
      route: 'GET /api/admin/newsletter/campaigns',
      permission: 'content.read',
      query: campaignsQuerySchema,
      answers: { 200: z.array(campaignRowSchema) },
    },
    adminGetCampaign: {
      route: 'GET /api/admin/newsletter/campaigns/:id',
      permission: 'content.read',
      params: idParams,
      answers: { 200: campaignSchema },
      errors: missing,
    },
    adminCreateCampaign: {
      route: 'POST /api/admin/newsletter/campaigns',
      permission: 'content.manage',
      body: createCampaignBodySchema,
      answers: { 201: campaignSchema },
      errors: ['markup_invalid', 'campaign_exists'],
    },
    adminUpdateCampaign: {
      route: 'PATCH /api/admin/newsletter/campaigns/:id',
      permission: 'content.manage',
      params: idParams,
      body: updateCampaignBodySchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'markup_invalid'],
    },
    /** Of a draft. */
    adminDeleteCampaign: {
      route: 'DELETE /api/admin/newsletter/campaigns/:id',
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: stepErrors,
    },
    /** Sends the campaign to the administrator only. */
    adminTestCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/test',
      permission: 'content.manage',
      params: idParams,
      answers: { 202: testedCampaignSchema },
      errors: [...missing, 'mail_not_configured', 'campaign_article_hidden', 'email_unverified', 'rate_limited'],
    },
    /** Of a draft, or of a scheduled campaign, which gets another time. */
    adminScheduleCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/schedule',
      permission: send,
      params: idParams,
      body: scheduleCampaignBodySchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'campaign_article_hidden', 'mail_not_configured'],
    },
    /** Of a draft, or of a scheduled campaign. */
    adminSendCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/send',
      permission: send,
      params: idParams,
      body: campaignVersionSchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'campaign_article_hidden', 'mail_not_configured'],
    },
    adminPauseCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/pause',
      permission: send,
      params: idParams,
      answers: { 200: campaignSchema },
      errors: stepErrors,
    },
    adminResumeCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/resume',
      permission: send,
      params: idParams,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_article_hidden'],
    },
    /** A scheduled campaign becomes a draft again. One that is being sent or is paused ends. */
    adminCancelCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/cancel',
      permission: send,
      params: idParams,
      answers: { 200: campaignSchema },
      errors: stepErrors,
    },
  }),
};
