import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `create table legal_media (
    article_id uuid not null,
    number integer not null,
    media_id uuid not null references media,
    version integer check (version > 0),
    primary key (article_id, number, media_id),
    foreign key (article_id, number) references legal_versions (article_id, number) on delete cascade
  )`,
  'create index legal_media_media on legal_media (media_id)',
  `insert into legal_media (article_id, number, media_id, version)
    select text.article_id, text.number, media.id, max(found.parts[2]::integer)
    from legal_versions text
    cross join lateral regexp_matches(text.html, '/media/([0-9a-f-]{36})(?:/([0-9]{1,9})/)?', 'g') as found (parts)
    join media on media.id::text = found.parts[1]
    group by text.article_id, text.number, media.id`,
  'alter table media add change integer not null default 0',
  'alter table media add shown_change integer not null default 0',
  'create index media_stale on media (id) where shown_change < change',
];

/** Which files the versions of legal texts show, and which changes of files articles don't show yet. */
export const keptMedia: Migration = {
  up: runAll(statements),
  down: runAll(['alter table media drop shown_change', 'alter table media drop change', 'drop table legal_media']),
};
