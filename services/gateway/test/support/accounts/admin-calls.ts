import { randomUUID } from 'node:crypto';
import { type Endpoints, endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type {
  EmailSettingsBody,
  SecuritySettings,
  SeoSettings,
  SiteSettings,
} from '@uprez/contracts/schemas/admin/settings';
import type { Db } from '@uprez/db/database';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { insertSettingsVersion } from '@uprez/db/queries/instance/settings-versions';
import { afterSeconds } from '@uprez/db/times';
import { createKeySecret, hashKeySecret, previewKeySecret } from '@uprez/domain/api-keys/key-secret';
import type { MailCatcher } from '@uprez/local-stack/mail/open-mail-catcher';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { addMedia } from '@uprez/testing/factories/add-media';
import { makeArticle } from '@uprez/testing/factories/make-article';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import type { SignedIn } from '@uprez/testing/sign-up';
import { makeTicketId } from '../contact.ts';
import type { TestGateway } from '../start-test-gateway.ts';

type AdminName = { [N in RouteName]: Endpoints[N]['auth'] extends 'admin' ? N : never }[RouteName];
/** Writes that need jobs, articles, files, services, or objects of Stripe, have no body, or change the session. They have tests of their own. */
const otherWrites = [
  'adminUnlockUser',
  'adminAcknowledgeAnomaly',
  'adminAddNote',
  'adminCreateCampaign',
  'adminUpdateCampaign',
  'adminDeleteCampaign',
  'adminTestCampaign',
  'adminScheduleCampaign',
  'adminSendCampaign',
  'adminPauseCampaign',
  'adminResumeCampaign',
  'adminCancelCampaign',
  'adminDeleteSubscriber',
  'adminAddIncidentUpdate',
  'adminCreateIncident',
  'adminRemoveOverride',
  'adminScheduleMaintenance',
  'adminSetOverride',
  'adminCancelJob',
  'adminCreateArticle',
  'adminCreateCategory',
  'adminCreatePost',
  'adminCreatePreview',
  'adminDeleteArticle',
  'adminDeleteCategory',
  'adminDeleteMedia',
  'adminDeletePool',
  'adminMoveArticle',
  'adminDeletePost',
  'adminDeleteTicket',
  'adminDiscardDraft',
  'adminPublishArticle',
  'adminReplaceMedia',
  'adminRestoreArticle',
  'adminRestoreMedia',
  'adminRestoreRevision',
  'adminSaveDraft',
  'adminUnpublishArticle',
  'adminWithdrawLegalVersion',
  'adminUpdateCategory',
  'adminUpdateMedia',
  'adminUpdatePost',
  'adminUploadMedia',
  'adminRequeueJob',
  'adminRetryJob',
  'adminRetryMedia',
  'adminCancelSubscription',
  'adminChangeTicket',
  'adminDeleteApiKey',
  'adminInviteLead',
  'adminRefundTransaction',
  'adminReplyToTicket',
  'adminResendInvitation',
  'adminResyncAccount',
  'adminRetryInvoice',
  'adminRetryStripeEvent',
  'adminRevokeInvitation',
  'adminSendCheckoutLink',
  'adminStartView',
  'adminSendTestMail',
] as const;
export type AdminWrite = Exclude<
  { [N in AdminName]: (typeof routes)[N]['method'] extends 'GET' ? never : N }[AdminName],
  (typeof otherWrites)[number]
>;

const names = Object.keys(routes) as RouteName[];
export const adminRoutes = names.filter((name) => endpoints[name].auth === 'admin') as AdminName[];
export const adminWrites = adminRoutes.filter(
  (name) => routes[name].method !== 'GET' && !(otherWrites as readonly string[]).includes(name),
) as AdminWrite[];

export const site: SiteSettings = {
  siteName: 'Images',
  siteDescription: 'Larger images.',
  siteUrl: 'https://images.example',
  contactEmail: 'contact@images.example',
  supportEmail: 'support@images.example',
  maintenanceMode: false,
  allowRegistration: true,
  defaultPlan: 'free',
  supportHours: 'Monday to Friday, 9 to 17 UTC',
  company: 'Images Ltd.',
  companyAddress: '1 Image Street, Springfield',
  governingLaw: 'Delaware',
  ...{ liability: 'As the law says.', legalBasis: 'A contract.', processors: 'Host: servers' },
  engineHourCosts: { photo: 235 },
};
export const seo: SeoSettings = {
  metaTitle: 'Larger images',
  metaDescription: 'Images become larger here.',
  metaKeywords: 'images, upscaling',
  ogTitle: 'Share larger images',
  ogDescription: '',
  ogImage: 'https://images.example/card.png',
  twitterCard: 'summary',
  twitterSite: '@images',
  googleAnalyticsId: '',
  googleTagManagerId: '',
};
export const email: EmailSettingsBody = {
  smtpHost: 'mail.images.example',
  smtpPort: 2525,
  smtpUser: 'mailer',
  smtpPassword: 'the mail password',
  smtpSecure: false,
  fromEmail: 'hello@images.example',
  fromName: 'Images',
  welcomeEmailEnabled: true,
  notificationEmailEnabled: false,
};
/** Email settings that use a mail catcher. */
export const mailServerOf = ({ env }: MailCatcher): EmailSettingsBody => ({
  ...email,
  smtpHost: env.SMTP_HOST,
  smtpPort: Number(env.SMTP_PORT),
  smtpUser: env.SMTP_USER,
  smtpPassword: env.SMTP_PASSWORD,
});
export const security: SecuritySettings = {
  requireTwoFactor: false,
  sessionTimeout: 480,
  maxLoginAttempts: 5,
  lockoutDuration: 15,
  rateLimitEnabled: true,
  rateLimitRequests: 60,
  allowedOrigins: [],
  minPasswordLength: 8,
};

/** Returns a body that changes something for each write of an administrator. */
export const changingBodies: Record<AdminWrite, object> = {
  adminInviteUser: { email: 'invited@example.test', role: 'viewer', reason: 'hired' },
  adminUpdateUser: { suspended: true, expected: false, reason: 'spam' },
  adminSetRole: { role: 'viewer', expected: null, reason: 'hired' },
  adminSetTier: { subscriptionTier: 'api_pro', reason: 'a gift' },
  adminRemoveTwoFactor: { reason: 'lost phone' },
  adminEndUserSessions: { reason: 'stolen laptop' },
  adminResendVerification: { reason: 'asked for it' },
  adminGrantUnits: { units: 5, meter: 'ai', expiresAt: '2100-01-01T00:00:00.000Z', reason: 'sorry' },
  putSiteSettings: site,
  putEmailSettings: email,
  putSeoSettings: seo,
  putSecuritySettings: { ...security, maxLoginAttempts: 7 },
  putBillingSettings: {
    yearly: { pro: 7_000 },
    packs: [{ key: 'small', units: 50, meter: 'shared', amount: 900 }],
    collectsTax: true,
  },
  adminRestoreSettings: { version: 1, seen: 2 },
  adminCreateCoupon: { code: 'audited', description: 'For the audit' },
  adminUpdateCoupon: { disabled: true },
  adminCreateServiceKey: { name: 'Monitoring' },
  adminToggleApiKey: { isActive: false },
  adminPauseEngine: { paused: true, reason: 'slow' },
  adminDrainWorkers: { draining: true },
  adminDrainWorker: { draining: true, reason: 'update' },
  adminPutPool: { fallback: 'busy', tiers: ['enterprise'], reason: 'sold' },
  adminSetUserPool: { pool: 'gold', reason: 'sold' },
};

const makeServiceKeyId = async ({ ctx }: TestGateway) => {
  const [id, secret] = [randomUUID(), createKeySecret('service')];
  const stored = { secretHash: hashKeySecret(secret), preview: previewKeySecret(secret), scopes: ['admin:read'] };
  await ctx.db
    .insertInto('apiKeys')
    .values({ id, accountId: null, name: 'a service key', kind: 'service', ...stored })
    .execute();
  return id;
};
/** Writes site settings twice. Returns their name. */
async function makeSiteVersions({ ctx }: TestGateway): Promise<string> {
  await ctx.db.deleteFrom('settings').where('name', '=', 'site').execute();
  for (const siteName of ['First', 'Second']) {
    const value = { ...site, siteName };
    const version = await upsertSettings(ctx.db, 'site', value);
    await insertSettingsVersion(ctx.db, { name: 'site', version, value, actorId: null });
  }
  return 'site';
}

const makeArticleId = async ({ ctx }: TestGateway) => (await makeArticle(ctx.db)).id;
const makeMediaId = async ({ ctx }: TestGateway) => (await addMedia(ctx.db)).id;
const makeCampaignId = async ({ ctx }: TestGateway) => {
  const campaign = { id: randomUUID(), kind: 'written', subject: 'News' } as const;
  await ctx.db.insertInto('campaigns').values(campaign).execute();
  return campaign.id;
};
const makeCouponId = async ({ ctx }: TestGateway) => (await makeCoupon(ctx.db)).id;

/** Creates what a call is about, where that isn't a user. Returns its ID. */
export const subjectMakers: Partial<Record<RouteName, (gateway: TestGateway) => Promise<string>>> = {
  adminGetArticle: makeArticleId,
  adminListRevisions: makeArticleId,
  adminGetRevision: makeArticleId,
  adminGetMedia: makeMediaId,
  adminListMediaUses: makeMediaId,
  adminListRedemptions: makeCouponId,
  adminExportRedemptions: makeCouponId,
  adminListSettingsVersions: async () => 'site',
  adminRestoreSettings: makeSiteVersions,
  adminGetTicket: makeTicketId,
  adminGetCampaign: makeCampaignId,
  adminTicketFile: makeTicketId,
  adminGetJob: async ({ ctx }) => (await makeJob(ctx, await makeUser(ctx.db))).job.id,
  adminUpdateCoupon: makeCouponId,
  adminToggleApiKey: makeServiceKeyId,
  adminPauseEngine: async () => 'photo',
  adminDrainWorker: async () => 'worker-1',
  adminPutPool: async () => 'silver',
};

/** Calls an endpoint by name, with `id` for all parameters of its path. */
export function callByName(
  { url, fetch, id }: { url: string; fetch: typeof globalThis.fetch; id: string },
  name: RouteName,
  { body, headers, signal }: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const { method, path } = routes[name];
  return fetch(`${url}${path.replace(/:\w+/g, id)}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

/** Creates a signed-in administrator who recently entered the password. */
export async function signUpAdmin({ ctx, signUp }: TestGateway, role: Role = 'owner'): Promise<SignedIn> {
  const admin = await signUp();
  await ctx.db.updateTable('users').set({ role }).where('id', '=', admin.user.id).execute();
  await setStepUp(ctx.db, admin, 0);
  return admin;
}

/** Makes the sessions of a user as old as if the password was entered this many seconds ago; null: never. */
export async function setStepUp(db: Db, { user }: SignedIn, secondsAgo: number | null): Promise<void> {
  const steppedUpAt = secondsAgo === null ? null : afterSeconds(-secondsAgo);
  await db.updateTable('sessions').set({ steppedUpAt }).where('userId', '=', user.id).execute();
}
