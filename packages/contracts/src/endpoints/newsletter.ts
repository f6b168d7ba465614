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
import { defineAdminEndpoints, defineEndpoints, emptySchema, exportOf } from './endpoint.ts';

const invalidTokenErrors = ['invalid_token'] as const;
const campaignNotFound = ['campaign_not_found'] as const;
const stepErrors = [...campaignNotFound, 'campaign_state'] as const;
const sendPermission = 'newsletter.send';

export const newsletterEndpoints = {
  ...defineEndpoints('none', {
    /** Returns the same response for all email addresses, to avoid revealing which addresses are subscribed. */
    subscribe: {
      route: 'POST /api/newsletter/subscriptions',
      body: subscribeBodySchema,
      answers: { 202: z.object({ message: z.string() }) },
    },
    /** Form submissions are redirected to a page, for browsers without JavaScript. */
    confirmSubscription: {
      route: 'POST /api/newsletter/confirm',
      body: linkTokenSchema,
      answers: { 200: confirmedSubscriptionSchema, 303: emptySchema },
      errors: invalidTokenErrors,
    },
    getSubscription: {
      route: 'GET /api/newsletter/subscription',
      query: linkQuerySchema,
      answers: { 200: subscriptionSchema },
      errors: invalidTokenErrors,
    },
    updateSubscription: {
      route: 'PUT /api/newsletter/subscription',
      query: linkQuerySchema,
      body: interestsBodySchema,
      answers: { 200: subscriptionSchema },
      errors: invalidTokenErrors,
    },
    /** One-click unsubscribe (RFC 8058). Accepts any body from any origin, without a cookie. */
    unsubscribe: {
      route: 'POST /api/newsletter/unsubscribe',
      query: unsubscribeQuerySchema,
      answers: { 200: subscriptionSchema, 303: emptySchema },
      errors: invalidTokenErrors,
    },
    /**
     * Redirects to the page with the unsubscribe button, because mail programs that don't support RFC 8058 open the
     * same URL.
     */
    unsubscribePage: {
      route: 'GET /api/newsletter/unsubscribe',
      query: unsubscribeQuerySchema,
      answers: { 303: emptySchema },
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
      ...exportOf(subscribersExportSchema),
    },
    adminDeleteSubscriber: {
      route: 'DELETE /api/admin/newsletter/subscribers/:id',
      permission: 'content.manage',
      answers: { 204: emptySchema },
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
      answers: { 200: campaignSchema },
      errors: campaignNotFound,
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
      body: updateCampaignBodySchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'markup_invalid'],
    },
    adminDeleteCampaign: {
      route: 'DELETE /api/admin/newsletter/campaigns/:id',
      permission: 'content.manage',
      answers: { 204: emptySchema },
      errors: stepErrors,
    },
    /** Sends the campaign only to the requesting administrator. */
    adminTestCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/test',
      permission: 'content.manage',
      answers: { 202: testedCampaignSchema },
      errors: [
        ...campaignNotFound,
        'mail_not_configured',
        'campaign_article_hidden',
        'email_unverified',
        'rate_limited',
      ],
    },
    /** Schedules a draft, or reschedules a scheduled campaign. */
    adminScheduleCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/schedule',
      permission: sendPermission,
      body: scheduleCampaignBodySchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'campaign_article_hidden', 'mail_not_configured'],
    },
    /** Sends a draft or a scheduled campaign immediately. */
    adminSendCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/send',
      permission: sendPermission,
      body: campaignVersionSchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'campaign_article_hidden', 'mail_not_configured'],
    },
    adminPauseCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/pause',
      permission: sendPermission,
      answers: { 200: campaignSchema },
      errors: stepErrors,
    },
    adminResumeCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/resume',
      permission: sendPermission,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_article_hidden'],
    },
    /** Turns a scheduled campaign back into a draft. Ends a campaign that is being sent or is paused. */
    adminCancelCampaign: {
      route: 'POST /api/admin/newsletter/campaigns/:id/cancel',
      permission: sendPermission,
      answers: { 200: campaignSchema },
      errors: stepErrors,
    },
  }),
};
