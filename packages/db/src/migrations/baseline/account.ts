export const accountTables: readonly string[] = [
  // For substring searches in email addresses and names.
  'create extension if not exists pg_trgm',
  `create table users (
    id uuid primary key,
    email text not null,
    username text not null,
    password_hash text not null,
    first_name text,
    last_name text,
    tier text not null default 'free',
    email_verified boolean not null default false,
    virtual_time double precision not null default 0,
    created_at timestamptz not null default now(),
    terms_version integer,
    suspended_at timestamptz,
    suspended_reason text,
    deletes_at timestamptz,
    two_factor_secret text,
    two_factor_at timestamptz,
    two_factor_step bigint not null default 0,
    period_anchor timestamptz,
    quota_emails boolean not null default true,
    batch_emails boolean not null default false,
    override_tier text,
    override_until timestamptz,
    override_reason text,
    plan_version integer,
    plan_from timestamptz,
    plan_until timestamptz,
    plan_share integer not null default 100 check (plan_share between 1 and 100),
    plan_ends_at timestamptz,
    plan_ref text,
    role text check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
    is_service boolean not null default false,
    virtual_clock text,
    constraint users_plan_period check ((plan_from is null) = (plan_until is null))
  )`,
  'create unique index users_email on users (lower(email))',
  'create unique index users_username on users (lower(username))',
  'create index users_plan_ends_at on users (plan_ends_at) where plan_ends_at is not null',
  // Must equal the expression in conditions.ts, or PostgreSQL can't use the index.
  `create index users_text on users using gin
    (lower(email || ' ' || username || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops)`,
  'create index users_role on users (role) where role is not null',
  'create index users_created on users (created_at, id)',
  'create unique index users_service on users (is_service) where is_service',
  `create table sessions (
    id_hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    expires_at timestamptz not null,
    user_agent text,
    address text,
    id uuid not null default gen_random_uuid(),
    device_hash bytea,
    stepped_up_at timestamptz,
    view_as_id uuid
  )`,
  'create index sessions_user on sessions (user_id)',
  'create index sessions_expiry on sessions (expires_at)',
  'create unique index sessions_id on sessions (id)',
  `create table term_acceptances (
    user_id uuid not null references users on delete cascade,
    version integer not null check (version > 0),
    accepted_at timestamptz not null default now(),
    address text,
    primary key (user_id, version)
  )`,
  // Views of accounts by administrators. A session references its view without a foreign key: when the viewed account
  // is deleted, the session must not silently become the administrator's own again.
  `create table account_views (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    admin_id uuid references users on delete set null,
    started_at timestamptz not null default now(),
    ends_at timestamptz not null
  )`,
  'create index account_views_user on account_views (user_id, started_at)',
  'create index account_views_admin on account_views (admin_id)',
  'create index account_views_end on account_views (ends_at)',
  `create table devices (
    user_id uuid not null references users on delete cascade,
    secret_hash bytea not null,
    user_agent text,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    primary key (user_id, secret_hash)
  )`,
  `create table recovery_codes (
    user_id uuid not null references users on delete cascade,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  `create table passkeys (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    credential_id bytea not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null default '{}',
    name text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index passkeys_user on passkeys (user_id, created_at)',
  // Only hashes of the challenges that browsers sign are stored.
  `create table passkey_challenges (
    challenge_hash bytea primary key,
    user_id uuid references users on delete cascade,
    expires_at timestamptz not null
  )`,
  'create index passkey_challenges_expiry on passkey_challenges (expires_at)',
  'create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null',
  `create table account_tokens (
    token_hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('verify', 'reset', 'change_email')),
    email text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index account_tokens_user on account_tokens (user_id, kind)',
  'create index account_tokens_expiry on account_tokens (expires_at)',
  `create table invitations (
    id uuid primary key,
    email text not null,
    role text check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
    token_hash bytea unique,
    invited_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    sent_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create unique index invitations_email on invitations (lower(email))',
  'create index invitations_invited_by on invitations (invited_by)',
  'create index invitations_expiry on invitations (expires_at)',
  `create table account_tasks (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind = 'export'),
    status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'expired')),
    attempts integer not null default 0,
    not_before timestamptz not null default now(),
    object_id uuid,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    expires_at timestamptz
  )`,
  "create unique index account_tasks_open on account_tasks (user_id, kind) where status in ('waiting', 'running')",
  "create index account_tasks_waiting on account_tasks (not_before) where status in ('waiting', 'running')",
  'create index account_tasks_user_id_reference on account_tasks (user_id) where user_id is not null',
  'create index account_tasks_object_id_reference on account_tasks (object_id) where object_id is not null',
  `create table attempts (
    subject text primary key,
    count integer not null default 0,
    blocks integer not null default 0,
    last_at timestamptz not null default now(),
    blocked_until timestamptz
  )`,
  // Rows are append-only. `account_id` isn't a foreign key, because rows outlive their account.
  `create table audits (
    id uuid primary key default gen_random_uuid(),
    actor_id uuid references users on delete set null,
    action text not null,
    subject text not null,
    before jsonb not null,
    after jsonb not null,
    reason text,
    address text,
    created_at timestamptz not null default now(),
    role text check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
    actor_email text,
    request_id text,
    rejected text,
    account_id uuid
  )`,
  'create index audits_time on audits (created_at, id)',
  'create index audits_subject on audits (subject, created_at, id)',
  'create index audits_actor on audits (actor_id, created_at, id)',
  'create index audits_account on audits (account_id, created_at, id) where account_id is not null',
  `create index audits_accepted on audits ((case when action = 'invitation.accept' then (before ->> 'invitation')::uuid end))
    where action = 'invitation.accept'`,
  // A trigger, because sessions end in many ways: sign-out, suspension, a new password, deletion of the account.
  `create function end_view_of_session() returns trigger language plpgsql as $$
      begin
        update account_views set ends_at = now() where id = old.view_as_id and ends_at > now();
        return null;
      end $$`,
  `create trigger sessions_end_view after delete on sessions
    for each row when (old.view_as_id is not null) execute function end_view_of_session()`,
  // Allows only two updates: clearing the actor after the actor's account was deleted, which the foreign key does, and
  // setting a missing account once.
  `create function keep_audits() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        if new.actor_id is null and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id'
          and not exists (select from users where id = old.actor_id) then
          return new;
        end if;
        if old.account_id is null and new.account_id is not null
          and to_jsonb(new) - 'account_id' = to_jsonb(old) - 'account_id' then
          return new;
        end if;
      end if;
      raise exception 'audits are append-only' using errcode = 'restrict_violation';
    end $$`,
  'create trigger keep_audits before delete or update on audits for each row execute function keep_audits()',
  'create trigger keep_all_audits before truncate on audits for each statement execute function keep_audits()',
  `create function note_changed_account() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id) values (new.id);
      return null;
    end $$`,
  `create trigger note_changed_account after update of virtual_time, tier, plan_version on users
    for each row when (
      (old.virtual_time, old.tier, old.plan_version) is distinct from (new.virtual_time, new.tier, new.plan_version)
    ) execute function note_changed_account()`,
];
