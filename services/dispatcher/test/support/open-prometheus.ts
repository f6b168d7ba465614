import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { pollUntil } from '@uprez/local-stack/poll-until';
import { inheritedEnv } from '@uprez/testing/config';

export type Prometheus = Awaited<ReturnType<typeof openPrometheus>>;
type Options = { ruleFiles: string; targets: { job: string; address: string }[] };

/** Starts Prometheus, which scrapes and evaluates once per second. */
export async function openPrometheus({ ruleFiles, targets }: Options) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-prometheus-'));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [ruleFiles],
    scrape_configs: targets.map(({ job, address }) => ({
      job_name: job,
      static_configs: [{ targets: [address] }],
    })),
  };
  // JSON is valid YAML.
  await fs.writeFile(path.join(folder, 'prometheus.yml'), JSON.stringify(config));
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const child = spawn(
    'prometheus',
    ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${new URL(url).host}`],
    { cwd: folder, env: inheritedEnv, stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  await pollUntil(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok || undefined, {
    timeoutMs: 20_000,
    waitingFor: 'for Prometheus',
  });
  /** Calls the API (prometheus.io/docs/prometheus/latest/querying/api). Throws if it reports an error. */
  const call = async <T>(name: string, params: Record<string, string> = {}): Promise<T> => {
    const response = await fetch(`${url}/api/v1/${name}?${new URLSearchParams(params)}`);
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(`${params.query ?? name}: ${error}`);
    return data;
  };
  return {
    call,
    /** The samples of a query. */
    query: async (query: string) =>
      (await call<{ result: { metric: Record<string, string>; value: [number, string] }[] }>('query', { query }))
        .result,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
