/** Account ID that stands for all visitors, who share one position in the queue. */
const visitorAccountId = `'00000000-0000-0000-0000-000000000000'::uuid`;

export const jobTableStatements: readonly string[] = [
  // The first job of each account, in the order in which jobs are claimed. Without this table, a claim would have to
  // look up the first job of every account. Every claim reads this table and `queue_changes`, so both are vacuumed
  // after 1,000 dead rows, regardless of their size.
  `create table queue_heads (
    account_id uuid primary key,
    job_id uuid not null,
    created_at timestamptz not null,
    was_delayed boolean not null,
    seconds double precision not null,
    tier text not null,
    weight double precision not null,
    virtual_time double precision not null,
    finish double precision not null
  ) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0)`,
  'create index queue_heads_line on queue_heads (tier, finish, created_at, job_id)',
  'create index queue_heads_times on queue_heads (virtual_time)',
  // Accounts for which the first job may have changed. Triggers only insert rows, so no transaction waits for a lock.
  `create table queue_changes (
    account_id uuid not null,
    due_at timestamptz not null default '-infinity'
  ) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0)`,
  `create table workers (
    id text primary key,
    name text not null,
    engines text[] not null,
    device text not null,
    slots integer not null,
    started_at timestamptz not null default now(),
    last_sign_at timestamptz not null default now(),
    pool text
  )`,
  `create table objects (
    id uuid primary key,
    account_id uuid references users on delete set null,
    job_id uuid,
    kind text not null check (kind in ('source', 'result', 'thumbnail', 'export', 'ticket', 'media')),
    key text not null unique,
    state text not null default 'writing' check (state in ('writing', 'stored', 'deleting')),
    size bigint,
    sha256 text,
    inspection jsonb,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    check (state <> 'stored' or size is not null and sha256 is not null)
  )`,
  'create index objects_job on objects (job_id)',
  "create index objects_unsettled on objects (state, created_at) where state <> 'stored'",
  'create index objects_expiry on objects (expires_at) where expires_at is not null',
  'create index objects_of_account on objects (account_id, state) include (size)',
  'alter table account_tasks add foreign key (object_id) references objects on delete set null',
  `create table jobs (
    id uuid primary key,
    account_id uuid references users on delete cascade,
    kind text not null default 'image' check (kind in ('image', 'preview', 'sandbox')),
    status text not null check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled', 'expired')),
    recipe jsonb not null,
    plan jsonb not null,
    filename text not null,
    source_bytes bigint not null,
    source_id uuid references objects on delete set null,
    result_id uuid references objects on delete set null,
    thumbnail_id uuid references objects on delete set null,
    attempt integer not null default 0,
    failures integer not null default 0,
    not_before timestamptz not null default now(),
    enqueued_at timestamptz,
    progress integer not null default 0 check (progress between 0 and 100),
    version integer not null default 1,
    receipt jsonb,
    error_code text,
    error_detail text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz,
    deleted_at timestamptz,
    surface text not null default 'web' check (surface in ('web', 'api')),
    api_key_id uuid references api_keys on delete set null,
    notes text[] not null default '{}',
    webhook_url text,
    used_seconds double precision not null default 0,
    cancel_units integer not null default 0 check (cancel_units in (0, 1)),
    failure_cause text,
    estimated_seconds double precision,
    retry_of uuid references jobs on delete set null,
    source_moved boolean not null default false,
    traceparent text,
    may_repeat boolean,
    account_tier text
  )`,
  "create index jobs_waiting on jobs (account_id, created_at, id) where status = 'queued'",
  'create index jobs_of_account on jobs (account_id, created_at desc, id desc)',
  'create index jobs_changed on jobs (account_id, updated_at)',
  // For deleting an object, which sets these columns to null.
  'create index jobs_source on jobs (source_id) where source_id is not null',
  'create index jobs_result on jobs (result_id) where result_id is not null',
  'create index jobs_thumbnail on jobs (thumbnail_id) where thumbnail_id is not null',
  "create index jobs_expiry on jobs (expires_at) where status = 'completed'",
  // Includes the columns that the dashboard counts, for index-only scans.
  `create index jobs_finished_of_account on jobs (account_id, finished_at)
    include (kind, surface, status, error_code, started_at)
    where finished_at is not null`,
  "create index jobs_of_no_book on jobs (status) where kind in ('preview', 'sandbox')",
  // For finding an identical image with an identical recipe by its digest.
  "create index jobs_repeats on jobs (account_id, ((receipt -> 'source') ->> 'sha256')) where status = 'completed'",
  // Lets a claim find the first job of an engine without reading earlier jobs of paused engines.
  `create index jobs_waiting_engines on jobs (account_id, (plan ->> 'engine'), created_at, id)
    where status = 'queued'`,
  'create index jobs_created on jobs (created_at, id)',
  "create index jobs_dead_letters on jobs (finished_at) where status = 'failed' and error_code like 'processing\\_%'",
  'create unique index jobs_retry on jobs (retry_of) where retry_of is not null',
  // Includes the columns for counting a day's images by plan, for index-only scans.
  `create index jobs_finished on jobs (finished_at)
    include (account_id, kind, surface, status, error_code, started_at, account_tier)
    where finished_at is not null`,
  'create index jobs_api_key_id_reference on jobs (api_key_id) where api_key_id is not null',
  // Leases and progress are stored in a separate table, because renewals then write short rows. Renewals are HOT
  // updates: no index covers a column that they change, and half of each page is kept free for new row versions.
  `create table job_leases (
    job_id uuid primary key references jobs on delete cascade,
    attempt integer not null,
    worker_id text not null,
    lease_until timestamptz not null,
    progress integer not null default 0 check (progress between 0 and 100),
    changes integer not null default 0,
    updated_at timestamptz not null default now(),
    charged double precision not null default 0
  ) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.5)`,
  `create table rejected_images (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references users on delete cascade,
    surface text not null check (surface in ('web', 'api')),
    filename text not null,
    error_code text not null,
    error_detail text not null,
    created_at timestamptz not null default now()
  )`,
  'create index rejected_images_account on rejected_images (account_id, created_at)',
  'create index rejected_images_created on rejected_images (created_at)',
  `create table batches (
    id uuid primary key,
    account_id uuid not null references users on delete cascade,
    recipe jsonb not null,
    surface text not null default 'web' check (surface in ('web', 'api')),
    created_at timestamptz not null default now(),
    cancelled_at timestamptz,
    expires_at timestamptz not null,
    api_key_id uuid references api_keys on delete set null,
    is_sandbox boolean not null default false,
    keeps_alpha boolean not null default false,
    ended_at timestamptz,
    paused_at timestamptz
  )`,
  'create index batches_expiry on batches (expires_at)',
  'create index batches_account on batches (account_id, id)',
  'create index batches_not_ended on batches (created_at) where ended_at is null',
  'create index batches_api_key_id_reference on batches (api_key_id) where api_key_id is not null',
  `create table idempotency_keys (
    account_id uuid not null references users on delete cascade,
    key text not null,
    fingerprint text not null,
    job_id uuid references jobs on delete cascade deferrable initially deferred,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    batch_id uuid references batches on delete cascade deferrable initially deferred,
    primary key (account_id, key),
    constraint idempotency_keys_subject check ((job_id is null) <> (batch_id is null))
  )`,
  'create index idempotency_keys_expiry on idempotency_keys (expires_at)',
  'create index idempotency_keys_job_id_reference on idempotency_keys (job_id) where job_id is not null',
  'create index idempotency_keys_batch_id_reference on idempotency_keys (batch_id) where batch_id is not null',
  `create table batch_items (
    id uuid primary key,
    batch_id uuid not null references batches on delete cascade,
    position integer not null,
    client_id text not null,
    name text not null,
    relative_path text not null,
    size_bytes bigint,
    status text not null default 'waiting' check (status in ('waiting', 'taken', 'failed', 'cancelled')),
    unit_id uuid not null unique,
    engine text,
    job_id uuid references jobs on delete set null,
    error_code text,
    error_detail text,
    image_url text,
    fetch_at timestamptz not null default now(),
    fetches integer not null default 0,
    queue_account_id uuid,
    queue_is_sandbox boolean,
    unique (batch_id, client_id),
    unique (batch_id, position)
  )`,
  'create index batch_items_job on batch_items (job_id) where job_id is not null',
  "create index batch_items_to_fetch on batch_items (fetch_at) where image_url is not null and status = 'waiting'",
  // Lets a claim skip from one waiting account to the next.
  `create index batch_items_fetch_queue on batch_items (queue_account_id, queue_is_sandbox, fetch_at, position)
    where image_url is not null and status = 'waiting'`,
  // Lets the search for overdue batches skip from one waiting batch to the next.
  "create index batch_items_waiting on batch_items (batch_id) where status = 'waiting'",
  `create table result_deliveries (
    item_id uuid primary key references batch_items on delete cascade,
    target text,
    host text not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_at timestamptz,
    lease_until timestamptz,
    answered integer,
    error text,
    delivered_at timestamptz,
    queue_account_id uuid,
    queue_is_sandbox boolean
  )`,
  `create index result_deliveries_due on result_deliveries (next_at)
    where status = 'pending' and next_at is not null`,
  'create index result_deliveries_leased on result_deliveries (lease_until) where lease_until is not null',
  // Lets a claim skip from one waiting account to the next.
  `create index result_deliveries_queue on result_deliveries (queue_account_id, queue_is_sandbox, next_at)
    where status = 'pending' and target is not null and next_at is not null`,
  // Triggers record the accounts with a queue that may have changed, regardless of which statement changed the jobs.
  `create function note_added_jobs() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id, due_at)
        select distinct coalesce(account_id, ${visitorAccountId}), not_before from added where status = 'queued';
      return null;
    end $$`,
  `create trigger note_added_jobs after insert on jobs referencing new table as added
    for each statement execute function note_added_jobs()`,
  `create function note_deleted_jobs() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id)
        select distinct coalesce(account_id, ${visitorAccountId}) from deleted where status = 'queued';
      return null;
    end $$`,
  `create trigger note_deleted_jobs after delete on jobs referencing old table as deleted
    for each statement execute function note_deleted_jobs()`,
  `create function note_changed_job() returns trigger language plpgsql as $$
    begin
      if old.status = 'queued' then
        insert into queue_changes (account_id) values (coalesce(old.account_id, ${visitorAccountId}));
      end if;
      if new.status = 'queued' then
        insert into queue_changes (account_id, due_at) values (coalesce(new.account_id, ${visitorAccountId}), new.not_before);
      end if;
      return null;
    end $$`,
  `create trigger note_changed_job after update of status, account_id, not_before on jobs
    for each row when (old.status = 'queued' or new.status = 'queued') execute function note_changed_job()`,
  // Stores the account of each image to fetch and of each result to upload, because claims search by account. Images
  // from deleted API keys aren't queued.
  `create function set_delivery_account() returns trigger language plpgsql as $$
      begin
        select account_id, is_sandbox into new.queue_account_id, new.queue_is_sandbox
          from batch_items join batches on batches.id = batch_items.batch_id where batch_items.id = new.item_id;
        return new;
      end $$`,
  `create trigger set_delivery_account before insert or update of next_at on result_deliveries
    for each row when (new.queue_account_id is null) execute function set_delivery_account()`,
  `create function set_item_account() returns trigger language plpgsql as $$
      begin
        select account_id, is_sandbox into new.queue_account_id, new.queue_is_sandbox from batches
          where id = new.batch_id and (surface = 'web' or api_key_id is not null);
        return new;
      end $$`,
  `create trigger set_item_account before insert or update of status, image_url on batch_items
    for each row when (new.queue_account_id is null and new.image_url is not null) execute function set_item_account()`,
];
