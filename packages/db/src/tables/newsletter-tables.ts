import type {
  CampaignKind,
  CampaignMailState,
  CampaignState,
  SubscriberSource,
  SubscriberState,
  Topic,
} from '@uprez/contracts/policy/newsletter';
import type { StatusService } from '@uprez/contracts/policy/status';
import type { Generated } from 'kysely';

/**
 * An email address that receives emails, is waiting for confirmation, or has been removed from the list. `topics` and
 * `services` are confirmed. Empty `services` means all services.
 */
export type SubscribersTable = {
  id: string;
  email: string;
  state: Generated<SubscriberState>;
  topics: Generated<Topic[]>;
  services: Generated<StatusService[]>;
  /** Topics and services that the next confirmation adds. Valid until `expiresAt`. */
  wantedTopics: Generated<Topic[]>;
  wantedServices: Generated<StatusService[]>;
  /** Null after unsubscribing. */
  source: SubscriberSource | null;
  /** SHA-256 of the token in the latest confirmation link. */
  tokenHash: Buffer | null;
  expiresAt: Date | null;
  /** When the latest confirmation links were requested. */
  askedAt: Generated<Date[]>;
  confirmedAt: Date | null;
  /** When the subscriber unsubscribed or a mail server refused the email address. */
  endedAt: Date | null;
  createdAt: Generated<Date>;
};

/**
 * `articleId` and `incidentUpdateId` are also null after the article or the update was deleted. `html`: safe HTML
 * rendered from `textMd`.
 */
export type CampaignsTable = {
  id: string;
  kind: CampaignKind;
  articleId: string | null;
  incidentUpdateId: string | null;
  subject: string;
  textMd: Generated<string>;
  html: Generated<string>;
  version: Generated<number>;
  state: Generated<CampaignState>;
  sendAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  authorId: string | null;
  createdAt: Generated<Date>;
};

/** An email to a subscriber, who may have been deleted since. */
export type CampaignMailsTable = {
  campaignId: string;
  subscriberId: string;
  state: Generated<CampaignMailState>;
  attempts: Generated<number>;
  /** Earliest time of the next claim: the end of a lease or of a pause after an error. */
  notBefore: Generated<Date>;
  lastError: string | null;
  endedAt: Date | null;
};

export type NewsletterTables = {
  subscribers: SubscribersTable;
  campaigns: CampaignsTable;
  campaignMails: CampaignMailsTable;
};
