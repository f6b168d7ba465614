import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openVault } from '@uprez/domain/vault';
import { webhookSecretPurpose } from '@uprez/domain/webhooks/get-webhook';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { inheritedEnv } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeUser } from '@uprez/testing/make-user';
import { startIsolatedProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { imageForm, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openAlertmanager } from './support/open-alertmanager.ts';
import { openPrometheus, type Prometheus } from './support/open-prometheus.ts';
import { readPromql } from './support/read-promql.ts';
import { makeEvents } from './support/webhook-world.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = path.join(root, 'infra/monitoring');
const runbooks = path.join(root, 'docs/operations/runbooks');
const list = (name: string) => fs.readdirSync(path.join(folder, name)).map((file) => path.join(folder, name, file));

type Rule = {
  type: 'alerting' | 'recording';
  name: string;
  query: string;
  health: string;
  lastError?: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
};
type Dashboard = { uid: string; panels: { title: string; targets: { expr: string }[] }[] };
const dashboards = list('dashboards').map((file) => JSON.parse(fs.readFileSync(file, 'utf8')) as Dashboard);
/** Grafana replaces the variable by an interval that contains some scrapes. */
const panelQueries = dashboards.flatMap(({ uid, panels }) =>
  panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [`${uid}: ${title}`, expr.replaceAll('$__rate_interval', '1m')] as const),
  ),
);

/** Delivers a webhook to an endpoint that isn't reached, ends the child of the worker, and sends a false Stripe event. */
async function meetErrors({ db, env, url, services }: TestProduct): Promise<void> {
  const owner = await makeUser(db, 'api_pro');
  const secret = openVault(env.VAULT_SECRET ?? '').seal('whsec_c2VjcmV0', webhookSecretPurpose);
  const facts = { accountId: owner.accountId, kind: 'endpoint', isSandbox: false, secret } as const;
  await db
    .insertInto('webhookEndpoints')
    .values({ ...facts, id: randomUUID(), url: 'https://127.0.0.1/' })
    .execute();
  await makeEvents({ db }, owner);
  await fetch(`${url}/api/stripe/webhook`, { method: 'POST', body: '{}', headers: { 'stripe-signature': 'none' } });
  const pid = services.find(({ name }) => name === 'worker')?.pid;
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  for (const child of children) process.kill(child, 'SIGKILL');
}

/** Starts the product and Prometheus. The ledger contradicts itself: a completed job was never settled. */
async function openMonitoring() {
  const stripe = await openTestStripe();
  const product = await startIsolatedProduct({ services: ['gateway', 'worker'], env: stripe.env });
  const user = await signUp(product.url);
  const body = imageForm(await makeImage({ width: 40, height: 30 }), { engine: 'standard' });
  const { data } = await user.client.processImage({ body, headers: { prefer: 'wait=60' } });
  expect(data.status).toBe('completed');
  await product.db.transaction().execute(async (tx) => {
    await sql`alter table ledger disable trigger ledger_append_only`.execute(tx);
    await sql`delete from ledger where kind = 'settle'`.execute(tx);
    await sql`alter table ledger enable trigger ledger_append_only`.execute(tx);
  });
  await (await product.spawn('dispatcher')).ready();
  await meetErrors(product);
  const targets = product.services.map(({ name, operatorAddress }) => ({
    job: `uprez-${name}`,
    address: operatorAddress(),
  }));
  const alertmanager = await openAlertmanager(fs.readFileSync(path.join(folder, 'alertmanager.yml'), 'utf8'));
  const ruleFiles = path.join(folder, 'rules/*.yml');
  const prometheus = await openPrometheus({ ruleFiles, targets, alertmanagers: [alertmanager.address] });
  const close = () => Promise.all([prometheus.close(), alertmanager.close(), product.close(), stripe.close()]);
  await untilScraped(prometheus, product.url).catch((error: unknown) => close().then(() => Promise.reject(error)));
  return { prometheus, notifications: alertmanager.notifications, close };
}

const firing = 'ALERTS{alertstate="firing"}';

/** Sends requests, and waits for samples of what the tests look for. */
async function untilScraped({ query }: Prometheus, url: string): Promise<void> {
  const wanted = [
    'sum(up) == 3',
    'child_exits_total{reason="processing_crashed"} > 0',
    'webhook_wait_seconds_count{endpoint="working"} == 1',
    'stored_bytes{state="stored"} > 0',
    'slo:errors:ratio_rate5m{slo="api_availability"} >= 0',
    firing,
  ];
  for (const expr of wanted) {
    const isFound = async () => {
      await fetch(`${url}/api/plans`);
      return (await query(expr)).length > 0;
    };
    await waitUntil(isFound, { everyMs: 100, what: expr });
  }
}

const run = promisify(execFile);
const promtool = (...args: string[]) => run('promtool', args, { env: inheritedEnv });

describe.skipIf(isLeftOut('promtool'))('promtool', () => {
  it('accepts the configuration and passes the tests of the rules', async () => {
    await promtool('check', 'config', path.join(folder, 'prometheus.yml'));
    const { stdout } = await promtool('test', 'rules', ...list('tests'));
    expect(stdout.match(/SUCCESS/g)).toHaveLength(list('tests').length);
  });
});

describe.skipIf(isLeftOut('amtool'))('amtool', () => {
  const file = `--config.file=${path.join(folder, 'alertmanager.yml')}`;
  const amtool = (...args: string[]) => run('amtool', args, { env: inheritedEnv });

  it.each([
    ['pages', 'severity=page'],
    ['tickets', 'severity=ticket'],
  ])('sends %s where the configuration says', async (receiver, label) => {
    await amtool('check-config', path.join(folder, 'alertmanager.yml'));
    const { stdout } = await amtool('config', 'routes', 'test', file, label);
    expect(stdout.trim()).toBe(receiver);
  });
});

describe.skipIf(isLeftOut('prometheus') || isLeftOut('alertmanager'))('Prometheus', () => {
  const opened = fileFixture(openMonitoring);
  const call: Prometheus['call'] = (name, params) => opened.prometheus.call(name, params);
  const listRules = async () => {
    const { groups } = await call<{ groups: { rules: Rule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  };

  it('scrapes all services, evaluates every rule, and alerts about the ledger only', async () => {
    const rules = await waitUntil(async () => {
      const found = await listRules();
      return found.every(({ health }) => health !== 'unknown') && found;
    });
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    const alerts = await opened.prometheus.query(firing);
    expect(alerts.map(({ metric }) => [metric.alertname, metric.check])).toEqual([['LedgerInconsistent', 'jobs']]);
    const [errors] = await opened.prometheus.query('slo:errors:ratio_rate5m{slo="api_availability"}');
    expect(errors?.value[1]).toBe('0');
  });

  it('sends the alert through Alertmanager to whoever is paged', async () => {
    const { notifications } = opened;
    await waitUntil(() => notifications.length > 0, { what: 'a notification' });
    const [first] = notifications;
    expect(first).toMatchObject({ receiver: 'pages', alerts: [{ status: 'firing' }] });
    expect(first?.alerts[0]?.labels).toMatchObject({ alertname: 'LedgerInconsistent', check: 'jobs' });
    expect(first?.alerts[0]?.annotations.runbook_url).toContain('/runbooks/ledger-inconsistent.md');
  });

  it('names the severity and an existing runbook in every alert', async () => {
    const alerts = (await listRules()).filter(({ type }) => type === 'alerting');
    expect(alerts.length).toBeGreaterThan(20);
    const prefix = 'https://github.com/uprez/uprez/blob/main/docs/operations/runbooks/';
    const pages = alerts.map(({ labels, annotations }) => {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations?.runbook_url?.startsWith(prefix)).toBe(true);
      return annotations?.runbook_url?.slice(prefix.length) ?? '';
    });
    expect(fs.readdirSync(runbooks).sort()).toEqual([...new Set(pages)].sort());
    for (const { name, annotations } of alerts) {
      const page = path.join(runbooks, path.basename(annotations?.runbook_url ?? ''));
      expect(fs.readFileSync(page, 'utf8')).toContain(`\`${name}\``);
    }
  });

  it('knows every metric and label of the rules and dashboards', async () => {
    const rules = await listRules();
    const families = await call<Record<string, unknown>>('metadata');
    const labels = new Set(await call<string[]>('labels'));
    const isKnown = (name: string) =>
      name === 'up' ||
      rules.some((rule) => rule.type === 'recording' && rule.name === name) ||
      name in families ||
      name.replace(/_(bucket|sum|count)$/, '') in families;
    const queries = [...rules.map(({ name, query }) => [name, query] as const), ...panelQueries];
    const unknown = queries.flatMap(([name, query]) => {
      const used = readPromql(query);
      const missing = [
        ...used.metrics.filter((one) => !isKnown(one)),
        ...used.labels.filter((one) => !labels.has(one)),
      ];
      return missing.map((one) => `${name}: ${one}`);
    });
    expect(unknown).toEqual([]);
    expect(readPromql('sum by (nothing) (no_metric{none="x"}[5m])')).toEqual({
      metrics: ['no_metric'],
      labels: ['nothing', 'none'],
    });
  });

  it('answers every query of the dashboards', async () => {
    const answers = await Promise.allSettled(panelQueries.map(([, query]) => opened.prometheus.query(query)));
    expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []))).toEqual([]);
    expect(answers.length).toBeGreaterThan(50);
  });
});
