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

/** An email address that gets emails, wants to, or left. Topics and services are confirmed; empty services mean all. */
export type SubscribersTable = {
  id: string;
  email: string;
  state: Generated<SubscriberState>;
  topics: Generated<Topic[]>;
  services: Generated<StatusService[]>;
  /** What the next confirmation adds, until `expiresAt`. */
  wantedTopics: Generated<Topic[]>;
  wantedServices: Generated<StatusService[]>;
  /** Null after unsubscribing. */
  source: SubscriberSource | null;
  /** SHA-256 of the token of the latest link to confirm. */
  tokenHash: Buffer | null;
  expiresAt: Date | null;
  /** When the latest links were requested. */
  askedAt: Generated<Date[]>;
  confirmedAt: Date | null;
  /** When the subscriber left, or a mail server refused the address. */
  endedAt: Date | null;
  createdAt: Generated<Date>;
};

/** `articleId`, `incidentUpdateId`: null, too, after what it was about was deleted. `html`: of a written text, safe. */
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
  /** Not claimed before: the end of a lease, or of a pause after an error. */
  notBefore: Generated<Date>;
  lastError: string | null;
  endedAt: Date | null;
};

export type NewsletterTables = {
  subscribers: SubscribersTable;
  campaigns: CampaignsTable;
  campaignMails: CampaignMailsTable;
};
