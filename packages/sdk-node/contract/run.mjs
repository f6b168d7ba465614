// Runs the shared SDK cases and prints one line of JSON per case.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { signImageUrl, Uprez, UprezError, verifyWebhook } from '../dist/index.js';

const { UPREZ_CASES, UPREZ_URL, UPREZ_FILES, UPREZ_OUT, UPREZ_KEY_LIVE, UPREZ_KEY_TEST, UPREZ_KEY_PRO } = process.env;
const keys = { live: UPREZ_KEY_LIVE, test: UPREZ_KEY_TEST, pro: UPREZ_KEY_PRO, wrong: 'upz_live_wrong' };
const pathOf = (name) => join(UPREZ_FILES, name);

/** Removes null and undefined. */
const compact = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value != null));
const size = (facts) => facts && [facts.width, facts.height];

const pickTarget = ({ status, host }) => ({ status, host });

const show = {
  job: ({ status, success, filename, format, quality, scale_factor, engine, sandbox, ...job }) =>
    compact({
      ...{ status, success, filename, format, quality, scale_factor, engine, sandbox },
      ...{ original: size(job.original_size), size: size(job.processed_size), error_code: job.error?.code },
      ...{ charged: job.charged, credits: job.credits, cached: job.cached },
    }),
  deletion: (answer) => (answer.deleted_at ? { deleted: true } : show.job(answer)),
  dryRun: ({ dry_run, width, height, units, format, engine }) => ({ dry_run, width, height, units, format, engine }),
  batch: ({ status, sandbox, charged, items }) => ({
    ...compact({ status, sandbox, charged }),
    items: items.map(({ name, status, error, delivery }) =>
      compact({ name, status, error_code: error?.code, delivery: delivery && pickTarget(delivery) }),
    ),
  }),
  webhook: ({ kind, url, description, events, sandbox, is_active, disabled_reason, secret, former_secret_until }) =>
    compact({
      ...{ kind, url, description, events, sandbox, is_active, disabled_reason },
      ...{ has_secret: Boolean(secret), is_rotated: Boolean(former_secret_until) },
    }),
  delivery: ({ event_type, url, status, body }) =>
    compact({ event_type, url, status, body_type: body && JSON.parse(body).type }),
  deliveries: ({ data, next_cursor }) => ({
    count: data.length,
    event_types: data.map(({ event_type }) => event_type),
    has_more: next_cursor !== null,
  }),
  file: (path) => {
    const bytes = readFileSync(path);
    return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  },
  error: (error) =>
    compact({
      ...{ code: error.code, status: error.status, param: error.param, max_scale: error.maxScale },
      retry_after: error.retryAfter,
      ...(error.status && { hint: Boolean(error.hint), request_id: Boolean(error.requestId) }),
      job_status: error.job?.status,
    }),
};

function makeImage({ kind, file, url }) {
  if (kind === 'url') return url;
  if (kind === 'path') return pathOf(file);
  if (kind === 'stream') return createReadStream(pathOf(file));
  return kind === 'pipe' ? Readable.from([readFileSync(pathOf(file))]) : readFileSync(pathOf(file));
}

/** Streams and bytes have no file name. */
const nameOf = ({ kind, file }) => (kind === 'path' || kind === 'url' ? {} : { filename: file });

async function processImage(client, { input, options: { extra, ...given } = {}, idempotency_key: idempotencyKey }) {
  const mask = given.mask && { mask: Buffer.from(given.mask, 'base64') };
  const options = { ...nameOf(input), ...given, ...mask, ...extra };
  const call = idempotencyKey ? { idempotencyKey } : {};
  if (options.dry_run) return { got: show.dryRun(await client.dryRun(makeImage(input), options)) };
  const job = await client.process(makeImage(input), options, call);
  return { job, got: show.job(job) };
}

const processToFile = async (client, test) => {
  const options = { ...nameOf(test.input), ...test.options };
  return save(test, await client.processToBuffer(makeImage(test.input), options));
};

const collect = async (rows) => {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
};
const showList = (jobs, cursor) => ({
  count: jobs.length,
  filenames: jobs.map(({ filename }) => filename),
  has_more: cursor !== null,
});

const verbs = {
  process: processImage,
  image: processToFile,
  get: async (client, { id }) => ({ got: show.job(await client.jobs.get(id)) }),
  cancel: async (client, { id }) => ({ got: show.job(await client.jobs.cancel(id)) }),
  delete: async (client, { id }) => ({ got: show.deletion(await client.jobs.delete(id)) }),
  list: async (client, { query }) => {
    const { data, next_cursor } = await client.jobs.list(query);
    return { got: showList(data, next_cursor) };
  },
  list_all: async (client, { query }) => ({ got: showList(await collect(client.jobs.all(query)), null) }),
  estimate: async (client, { body }) => {
    const { width, height, units, meter, limit } = await client.estimate(body);
    return { got: compact({ width, height, units, meter, limit_code: limit?.code }) };
  },
  account: async (client) => {
    const { plan, key } = await client.account();
    return { got: { plan: plan.key, kind: key.kind } };
  },
  engines: async (client) => ({ got: { names: (await client.engines()).data.map(({ name }) => name) } }),
  events: async (client, { query }) => ({
    got: { types: (await client.events.list(query)).data.map(({ type }) => type) },
  }),
  batch: async (client, { files = [], inputs = [], options: { extra, ...options } = {} }) => {
    const images = [
      ...files.map((file) => (file.startsWith('https:') ? file : pathOf(file))),
      ...inputs.map((input) => ({ name: input.file, image: makeImage(input), target_url: input.target_url })),
    ];
    const batch = await client.batches.process(images, { ...options, ...extra });
    return { batch, got: show.batch(batch) };
  },
  webhook: async (client, { webhook: given }) => {
    const webhook = await client.webhooks.create(given);
    return { webhook, got: show.webhook(webhook) };
  },
  webhooks: async (client) => ({ got: { kinds: (await client.webhooks.list()).data.map(({ kind }) => kind) } }),
  deliveries: async (client, { id, query }) => ({ got: show.deliveries(await client.webhooks.deliveries(id, query)) }),
  delivery: async (client, { id, delivery_id: deliveryId }) => ({
    got: show.delivery(await client.webhooks.delivery({ id, deliveryId })),
  }),
  sign_image_url: async (_client, { image_url, options }) => {
    const { url, key_id: keyId, secret, base_url: baseUrl, expires_at } = image_url;
    const expiresAt = expires_at && new Date(expires_at * 1_000);
    return { got: { url: signImageUrl({ url, ...options, expiresAt }, { keyId, secret, baseUrl }) } };
  },
  verify: async (_client, { payload, headers, secrets: secret, tolerance_s: toleranceSeconds, now }) => ({
    got: { event: verifyWebhook(payload, headers, { secret, toleranceSeconds, now: new Date(now * 1_000) }) },
  }),
};

const webhookSteps = {
  webhook_get: async ({ webhooks }, { webhook }) => ({ got: show.webhook(await webhooks.get(webhook.id)) }),
  webhook_update: async ({ webhooks }, { webhook }, { change }) => ({
    got: show.webhook(await webhooks.update(webhook.id, change)),
  }),
  webhook_rotate: async ({ webhooks }, { webhook }, { overlap_hours }) => ({
    got: show.webhook(await webhooks.rotate(webhook.id, { overlap_hours })),
  }),
  webhook_test: async ({ webhooks }, { webhook }) => {
    const delivery = await webhooks.test(webhook.id);
    return { webhook, delivery, got: show.delivery(delivery) };
  },
  webhook_resend: async ({ webhooks }, { webhook }, { since }) => ({ got: await webhooks.resend(webhook.id, since) }),
  webhook_delete: async ({ webhooks }, { webhook }) => ({ webhook, got: await webhooks.delete(webhook.id) }),
  deliveries: async ({ webhooks }, { webhook }) => ({ got: show.deliveries(await webhooks.deliveries(webhook.id)) }),
  delivery: async ({ webhooks }, { webhook, delivery }) => ({
    got: show.delivery(await webhooks.delivery({ id: webhook.id, deliveryId: delivery.id })),
  }),
  resend_delivery: async ({ webhooks }, { webhook, delivery }) => ({
    got: show.delivery(await webhooks.resendDelivery({ id: webhook.id, deliveryId: delivery.id })),
  }),
};

/** Writes the bytes or the stream of a download to the file of the case. */
async function save({ name }, content) {
  const path = join(UPREZ_OUT, name);
  if (content instanceof Uint8Array) writeFileSync(path, content);
  else await pipeline(content, createWriteStream(path));
  return { got: show.file(path) };
}

const steps = {
  ...webhookSteps,
  result: async (client, { job }, test) => save(test, await client.jobs.download(job).toBuffer()),
  stream: async (client, { job }, test) => save(test, await client.jobs.download(job).toStream()),
  download_to: async (client, { job }, test) => save(test, await client.jobs.download(job).toStream()),
  zip_to: async (client, { batch }, test) => save(test, await client.batches.zip(batch.id).toStream()),
  delete_and_get: async (client, { job }) => {
    await client.jobs.delete(job.id);
    return { job: await client.jobs.get(job.id) };
  },
  get: async (client, { job, batch }) =>
    batch ? seen({ batch: await client.batches.get(batch.id) }) : seen({ job: await client.jobs.get(job.id) }),
  wait: async (client, { job, batch }) =>
    batch ? seen({ batch: await client.batches.waitFor(batch.id) }) : seen({ job: await client.jobs.waitFor(job.id) }),
  download: async (client, state, { name }) => {
    const path = join(UPREZ_OUT, name);
    await client.jobs.download(state.job).toFile(path);
    return { ...state, got: show.file(path) };
  },
  zip: async (client, state, { name }) => {
    const path = join(UPREZ_OUT, name);
    await client.batches.zip(state.batch.id).toFile(path);
    return { ...state, got: show.file(path) };
  },
  cancel: async (client, { job, batch }) =>
    batch ? seen({ batch: await client.batches.cancel(batch.id) }) : seen({ job: await client.jobs.cancel(job.id) }),
  delete: async (client, state) => ({ ...state, got: show.deletion(await client.jobs.delete(state.job.id)) }),
};
const seen = (state) => ({ ...state, got: state.batch ? show.batch(state.batch) : show.job(state.job) });

async function runCase(test) {
  const options = { apiKey: keys[test.key ?? 'live'], baseUrl: `${UPREZ_URL}/${test.name}${test.base_path ?? ''}` };
  const client = new Uprez({ ...options, ...(test.retries !== undefined && { maxRetries: test.retries }) });
  let state = await verbs[test.do](client, test);
  for (const step of test.then ?? []) state = await steps[step](client, state, test);
  return state.got;
}

const { cases } = JSON.parse(readFileSync(UPREZ_CASES, 'utf8'));
for (const test of cases) {
  const outcome = await runCase(test).then(
    (got) => ({ ok: true, got }),
    (error) => ({ ok: false, got: error instanceof UprezError ? show.error(error) : { crash: String(error.stack) } }),
  );
  console.log(JSON.stringify({ name: test.name, ...outcome }));
}
