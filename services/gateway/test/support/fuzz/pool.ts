import { sandbox } from '@uprez/contracts/policy/sandbox';

type Answer = { [field: string]: unknown };
const kept = 40;
/** Of a list that may be empty, the one at a place counted round. */
const round = (list: readonly string[], at: number) => list[at % Math.max(1, list.length)];
const nothing = '00000000-0000-4000-8000-000000000000';

/** What calls have made so far, for calls that are about something: the newest of each kind, the sandbox apart. */
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
    /** Learn of what an answer tells. */
    learn: (url: string, body: string) => {
      const answer = JSON.parse(body) as Answer;
      for (const row of Array.isArray(answer.data) ? (answer.data as Answer[]) : [answer]) keepRow(url, row);
    },
    /** An address with its token replaced; that of a file is whole with its signature. */
    fill: (url: string) => {
      const [token = '', path = '', at = '0'] = /^\{([^#]+)#(\d+)\}/.exec(url) ?? [];
      if (!token) return url;
      const filled = fillPath(path, (kind) => round(paths.get(kind) ?? [], Number(at)));
      return filled.includes('?') ? filled : filled + url.slice(token.length);
    },
  };
}

const sideOf = (url: string) => (url.startsWith(sandbox.prefix) ? 'sandbox ' : '');

/** `/batches/id/zip` with the id of a batch that there is. */
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
