import { type Figures, percentile } from '@uprez/testing/bench-report';
import { watchMemory } from '../support/watch-memory.ts';
import type { AdminBench } from './open-admin-bench.ts';

const rounds = 3;

/** The export of all users as CSV: seconds, and memory of the gateway. */
export async function measureExport({ product, cookie }: AdminBench): Promise<Figures> {
  const seconds: number[] = [];
  const growth: number[] = [];
  let lines = 0;
  for (let round = 0; round < rounds; round += 1) {
    const gateway = await product.spawn('gateway');
    try {
      await gateway.ready();
      const url = await gateway.publicUrl();
      const start = performance.now();
      const memory = await watchMemory(gateway.pid, async () => {
        const response = await fetch(`${url}/api/admin/users/export?format=csv`, { headers: { cookie } });
        if (response.status !== 200) throw new Error(`the export was answered ${response.status}`);
        lines = 0;
        for await (const part of response.body ?? [])
          lines += Buffer.from(part).toString('latin1').split('\n').length - 1;
      });
      // Without the idle second that `watchMemory` waits before.
      seconds.push((performance.now() - start) / 1_000 - 1);
      growth.push(memory.growth);
    } finally {
      await gateway.end('SIGTERM');
    }
  }
  return {
    [`export of ${lines} lines, median of ${rounds}`]: { value: percentile(seconds), atMost: 10, unit: 's' },
    "growth of the gateway's memory, median": { value: percentile(growth), atMost: 50, unit: 'MB' },
  };
}
