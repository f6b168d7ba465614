import { startProgram } from './start-program.ts';

export type Prometheus = Awaited<ReturnType<typeof openPrometheus>>;
/** `alertmanagers`: their addresses. */
type Options = { ruleFiles: string; targets: { job: string; address: string }[]; alertmanagers: string[] };

/** Starts Prometheus, which scrapes and evaluates once per second. */
export async function openPrometheus({ ruleFiles, targets, alertmanagers }: Options) {
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [ruleFiles],
    alerting: { alertmanagers: [{ static_configs: [{ targets: alertmanagers }] }] },
    scrape_configs: targets.map(({ job, address }) => ({
      job_name: job,
      static_configs: [{ targets: [address] }],
    })),
  };
  // JSON is valid YAML.
  const { address, close } = await startProgram({
    command: 'prometheus',
    config: JSON.stringify(config),
    args: ['--storage.tsdb.path=data'],
  });
  /** Calls the API (prometheus.io/docs/prometheus/latest/querying/api). Throws if it reports an error. */
  const call = async <T>(name: string, params: Record<string, string> = {}): Promise<T> => {
    const response = await fetch(`http://${address}/api/v1/${name}?${new URLSearchParams(params)}`);
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
    close,
  };
}
