export const newsletterTables: readonly string[] = [
  `create table subscribers (
    id uuid primary key,
    email text not null,
    state text not null default 'pending' check (state in ('pending', 'confirmed', 'unsubscribed', 'bounced')),
    topics text[] not null default '{}' check (topics <@ array['news', 'status']),
    services text[] not null default '{}'
      check (services <@ array['api', 'web', 'upload', 'authentication', 'payments', 'delivery']),
    wanted_topics text[] not null default '{}' check (wanted_topics <@ array['news', 'status']),
    wanted_services text[] not null default '{}'
      check (wanted_services <@ array['api', 'web', 'upload', 'authentication', 'payments', 'delivery']),
    source text check (source in ('blog', 'status', 'site', 'contact')),
    token_hash bytea unique,
    expires_at timestamptz,
    asked_at timestamptz[] not null default '{}',
    confirmed_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz not null default now(),
    check (state <> 'confirmed' or topics <> '{}'),
    check ((state in ('confirmed', 'bounced')) or topics = '{}'),
    check ((wanted_topics = '{}') = (expires_at is null)),
    check (token_hash is null or expires_at is not null)
  )`,
  'create unique index subscribers_email on subscribers (lower(email))',
  'create index subscribers_created on subscribers (created_at, id)',
  'create index subscribers_text on subscribers using gin (lower(email) gin_trgm_ops)',
  'create index subscribers_expires on subscribers (expires_at) where expires_at is not null',
  // Must equal the expression in queries/newsletter/subscribers.ts, or PostgreSQL can't use the index.
  `create index subscribers_mailbox on subscribers ((case
    when lower(email) ~ '@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(lower(email), '([+].*)?@.*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(lower(email), '[+].*@', '@')
  end))`,
  `create table campaigns (
    id uuid primary key,
    kind text not null check (kind in ('written', 'article', 'incident')),
    article_id uuid unique references articles on delete set null,
    incident_update_id uuid unique references incident_updates on delete set null,
    subject text not null check (subject <> ''),
    text_md text not null default '',
    html text not null default '',
    version integer not null default 1,
    state text not null default 'draft'
      check (state in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled')),
    send_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    author_id uuid references users on delete set null,
    created_at timestamptz not null default now(),
    check (article_id is null or kind = 'article'),
    check (incident_update_id is null or kind = 'incident'),
    check ((state = 'scheduled') = (send_at is not null)),
    check ((state in ('draft', 'scheduled')) = (started_at is null)),
    check ((state in ('sent', 'cancelled')) = (finished_at is not null))
  )`,
  'create index campaigns_created on campaigns (created_at, id)',
  'create index campaigns_author on campaigns (author_id)',
  "create index campaigns_due on campaigns (state) where state in ('scheduled', 'sending')",
  // `subscriber_id` isn't a foreign key, because the campaign's counts must not change when a subscriber is deleted.
  `create table campaign_mails (
    campaign_id uuid not null references campaigns on delete cascade,
    subscriber_id uuid not null,
    state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'skipped')),
    attempts integer not null default 0,
    not_before timestamptz not null default now(),
    last_error text,
    ended_at timestamptz,
    check ((state = 'pending') = (ended_at is null)),
    primary key (campaign_id, subscriber_id)
  )`,
  "create index campaign_mails_due on campaign_mails (campaign_id, not_before) where state = 'pending'",
  "create index campaign_mails_failed on campaign_mails (campaign_id, ended_at) where state = 'failed'",
  'create index campaign_mails_state on campaign_mails (campaign_id, state)',
];
