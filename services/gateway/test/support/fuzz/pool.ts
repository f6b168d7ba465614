import { sandbox } from '@uprez/contracts/policy/sandbox';

type Answer = { [field: string]: unknown };
const kept = 40;
/** Returns the entry at an index that wraps around, or `undefined` for an empty list. */
const round = (list: readonly string[], at: number) => list[at % Math.max(1, list.length)];
const nothing = '00000000-0000-4000-8000-000000000000';

/** Stores the newest IDs in responses by kind, separately for the sandbox, for later requests. */
export function openPool() {
  const paths = new Map<string, string[]>();
  const keep = (kind: string, value: string) => paths.set(kind, [value, ...(paths.get(kind) ?? [])].slice(0, kept));

  const keepBatch = (side: string, { batch_id, items }: Answer) => {
    keep(`${side}batches`, `${batch_id}`);
    for (const { id } of items as { id: string }[]) keep(`${side}items`, `${batch_id}/items/${id}`);
  };
  const keepJob = (side: string, { job_id, download_url }: Answer) => {
    keep(`${side}jobs`, `${job_id}`);
    if (typeof download_url === 'string') keep('files', download_url.replace(/^https?:\/\/[^/]+/, ''));
  };
  const keepRow = (url: string, row: Answer) => {
    const side = sideOf(url);
    const [, webhook] = /\/webhooks\/([^/?]+)\//.exec(url) ?? [];
    if (Array.isArray(row.items) && row.batch_id) keepBatch(side, row);
    else if (row.job_id && row.success !== undefined) keepJob(side, row);
    else if (Array.isArray(row.events) && row.url !== undefined) keep(`${side}webhooks`, `${row.id}`);
    else if (webhook && row.event_type) keep(`${side}deliveries`, `${webhook}/deliveries/${row.id}`);
  };

  return {
    /** Stores the IDs in a response. */
    learn: (url: string, body: string) => {
      const answer = JSON.parse(body) as Answer;
      for (const row of Array.isArray(answer.data) ? (answer.data as Answer[]) : [answer]) keepRow(url, row);
    },
    /** Returns the URL with its token replaced. The URL of a file contains its signature. */
    fill: (url: string) => {
      const [token = '', path = '', at = '0'] = /^\{([^#]+)#(\d+)\}/.exec(url) ?? [];
      if (!token) return url;
      const filled = fillPath(path, (kind) => round(paths.get(kind) ?? [], Number(at)));
      return filled.includes('?') ? filled : filled + url.slice(token.length);
    },
  };
}

const sideOf = (url: string) => (url.startsWith(sandbox.prefix) ? 'sandbox ' : '');

/** Returns a path such as `/batches/id/zip` with the ID of an existing batch. */
function fillPath(path: string, find: (kind: string) => string | undefined): string {
  const side = path.startsWith('/sandbox/') ? 'sandbox ' : '';
  if (path.includes('/files/')) return find('files') ?? `/v1/files/${nothing}/a.png`;
  const pairs: [RegExp, string][] = [
    [/id\/items\/itemId/, `${side}items`],
    [/id\/deliveries\/deliveryId/, `${side}deliveries`],
    [/(?<=batches\/)id/, `${side}batches`],
    [/(?<=webhooks\/)id/, `${side}webhooks`],
    [/(?<=(jobs|status)\/)id/, `${side}jobs`],
  ];
  const [pattern, kind] = pairs.find(([one]) => one.test(path)) ?? [/id/, ''];
  const missing = kind.endsWith('items')
    ? `${nothing}/items/${nothing}`
    : kind.endsWith('deliveries')
      ? `${nothing}/deliveries/${nothing}`
      : nothing;
  return `/v1${path.replace(pattern, find(kind) ?? missing)}`;
}
