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
    subscribe: { body: subscribeBodySchema, answers: { 202: z.object({ message: z.string() }) } },
    /** A form is answered with a page, for people without JavaScript. */
    confirmSubscription: {
      body: linkTokenSchema,
      answers: { 200: confirmedSubscriptionSchema, 303: nothing },
      errors: invalid,
    },
    getSubscription: { query: linkQuerySchema, answers: { 200: subscriptionSchema }, errors: invalid },
    updateSubscription: {
      query: linkQuerySchema,
      body: interestsBodySchema,
      answers: { 200: subscriptionSchema },
      errors: invalid,
    },
    /** One-click unsubscribe (RFC 8058): any body, without a cookie, from any origin. */
    unsubscribe: { query: unsubscribeQuerySchema, answers: { 200: subscriptionSchema, 303: nothing }, errors: invalid },
    /** Redirects to the page with the button, because mail programs that don't know RFC 8058 open the same URL. */
    unsubscribePage: { query: unsubscribeQuerySchema, answers: { 303: nothing } },
  }),
  ...defineAdminEndpoints({
    adminListSubscribers: {
      permission: 'content.read',
      query: subscribersQuerySchema,
      answers: { 200: z.array(subscriberSchema) },
    },
    adminExportSubscribers: {
      permission: 'content.read',
      query: subscribersExportSchema,
      answers: { 200: bytes },
      errors: ['export_too_large'],
    },
    adminDeleteSubscriber: {
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: ['subscriber_not_found'],
    },
    adminListCampaigns: {
      permission: 'content.read',
      query: campaignsQuerySchema,
      answers: { 200: z.array(campaignRowSchema) },
    },
    adminGetCampaign: {
      permission: 'content.read',
      params: idParams,
      answers: { 200: campaignSchema },
      errors: missing,
    },
    adminCreateCampaign: {
      permission: 'content.manage',
      body: createCampaignBodySchema,
      answers: { 201: campaignSchema },
      errors: ['markup_invalid', 'campaign_exists'],
    },
    adminUpdateCampaign: {
      permission: 'content.manage',
      params: idParams,
      body: updateCampaignBodySchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'markup_invalid'],
    },
    /** Of a draft. */
    adminDeleteCampaign: {
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: stepErrors,
    },
    /** Sends the campaign to the administrator only. */
    adminTestCampaign: {
      permission: 'content.manage',
      params: idParams,
      answers: { 202: testedCampaignSchema },
      errors: [...missing, 'mail_not_configured', 'campaign_article_hidden', 'email_unverified', 'rate_limited'],
    },
    /** Of a draft, or of a scheduled campaign, which gets another time. */
    adminScheduleCampaign: {
      permission: send,
      params: idParams,
      body: scheduleCampaignBodySchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'campaign_article_hidden', 'mail_not_configured'],
    },
    /** Of a draft, or of a scheduled campaign. */
    adminSendCampaign: {
      permission: send,
      params: idParams,
      body: campaignVersionSchema,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_changed', 'campaign_article_hidden', 'mail_not_configured'],
    },
    adminPauseCampaign: { permission: send, params: idParams, answers: { 200: campaignSchema }, errors: stepErrors },
    adminResumeCampaign: {
      permission: send,
      params: idParams,
      answers: { 200: campaignSchema },
      errors: [...stepErrors, 'campaign_article_hidden'],
    },
    /** A scheduled campaign becomes a draft again. One that is being sent or is paused ends. */
    adminCancelCampaign: { permission: send, params: idParams, answers: { 200: campaignSchema }, errors: stepErrors },
  }),
};
