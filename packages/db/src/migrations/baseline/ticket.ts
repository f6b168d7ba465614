export const ticketTables: readonly string[] = [
  `create table tickets (
    id uuid primary key,
    number integer generated always as identity (start with 1001) unique,
    kind text not null check (kind in ('contact', 'application', 'lead', 'feedback')),
    inquiry_type text check (inquiry_type in ('general', 'technical', 'billing', 'sales', 'feedback', 'bug')),
    state text not null default 'open' check (state in ('open', 'answered', 'closed', 'spam')),
    account_id uuid references users on delete set null,
    lead_id uuid unique references leads on delete set null,
    name text not null,
    email text not null,
    company text not null default '',
    subject text not null,
    position text,
    assignee_id uuid references users on delete set null,
    due_at timestamptz,
    spam_reasons text[] not null default '{}',
    auto_replied_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (due_at is null or state = 'open'),
    check ((state = 'spam') = (spam_reasons <> '{}'))
  )`,
  'create index tickets_created on tickets (created_at, id)',
  "create index tickets_due on tickets (coalesce(due_at, '9999-12-31 00:00:00+00'::timestamptz), id)",
  "create index tickets_ended on tickets (updated_at) where state in ('closed', 'spam')",
  'create index tickets_email on tickets (lower(email), auto_replied_at)',
  'create index tickets_account on tickets (account_id)',
  'create index tickets_assignee on tickets (assignee_id)',
  // Must match the expression in queries/inbox/tickets.ts. Otherwise, PostgreSQL can't use the index.
  `create index tickets_text on tickets using gin
    (lower(name || ' ' || email || ' ' || company || ' ' || subject) gin_trgm_ops)`,
  `create table ticket_messages (
    id uuid primary key,
    ticket_id uuid not null references tickets on delete cascade,
    kind text not null check (kind in ('message', 'reply', 'note')),
    author_id uuid references users on delete set null,
    text text not null,
    created_at timestamptz not null default now()
  )`,
  'create index ticket_messages_ticket on ticket_messages (ticket_id, created_at, id)',
  'create index ticket_messages_author on ticket_messages (author_id)',
  `create table ticket_files (
    id uuid primary key,
    ticket_id uuid not null references tickets on delete cascade,
    object_id uuid not null unique references objects on delete cascade,
    name text not null,
    mime_type text not null,
    created_at timestamptz not null default now()
  )`,
  'create index ticket_files_ticket on ticket_files (ticket_id, id)',
];
