import { claimDueTasks, ensureScheduledTasks } from '@uprez/db/queries/instance/scheduled-tasks';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { pullTestModels, startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openTaskScheduler, type ScheduledTask } from '../src/open-task-scheduler.ts';

const findTask = (ctx: Pick<TestContext, 'db'>, name: string) =>
  ctx.db.selectFrom('scheduledTasks').selectAll().where('name', '=', name).executeTakeFirst();

describe('a fresh start of all services', () => {
  it('runs every scheduled task on two connections and logs nothing above info', async () => {
    const modelsDir = await pullTestModels();
    const product = await startIsolatedProduct({ env: { DATABASE_POOL: '2', MODELS_DIR: modelsDir } });
    onTestFinished(product.close);
    const tasks = await waitUntil(async () => {
      const rows = await product.db.selectFrom('scheduledTasks').selectAll().execute();
      return rows.length > 0 && rows.every((row) => row.lastFinishedAt !== null) && rows;
    });
    expect(tasks.filter(({ lastError }) => lastError !== null)).toEqual([]);
    const lines = product.services.flatMap((service) => service.lines);
    const loud = lines.filter((line) => !(line.startsWith('{') && JSON.parse(line).level <= 30));
    expect(loud).toEqual([]);
  });
});

describe('the task scheduler', () => {
  let ctx: TestContext;
  beforeAll(async () => {
    ctx = await openTestContext();
  });
  afterAll(() => ctx.close());

  const start = (task: ScheduledTask) => {
    const scheduler = openTaskScheduler(ctx, { tasks: [task], pollMs: 5, onItems: () => {} });
    onTestFinished(scheduler.close);
  };

  it('runs a task in one process at a time when several schedulers have it', async () => {
    let runs = 0;
    let active = 0;
    let mostActive = 0;
    const run = async () => {
      active += 1;
      mostActive = Math.max(mostActive, active);
      await ctx.db.selectFrom('users').select('id').execute();
      active -= 1;
      runs += 1;
    };
    for (let scheduler = 0; scheduler < 4; scheduler += 1) start({ name: 'shared', everyS: 0.001, run });
    await waitUntil(() => runs >= 20);
    expect(mostActive).toBe(1);
  });

  it('repeats a failed task and keeps its error until it succeeds', async () => {
    const errors: (string | null | undefined)[] = [];
    const successes: (Date | null | undefined)[] = [];
    const run = async () => {
      const task = await findTask(ctx, 'failing');
      errors.push(task?.lastError);
      successes.push(task?.lastSucceededAt);
      if (errors.length < 3) throw new Error(`failure ${errors.length}`);
    };
    start({ name: 'failing', everyS: 0.001, run });
    await waitUntil(() => errors.length >= 4);
    expect(errors.slice(0, 4)).toEqual([null, 'Error: failure 1', 'Error: failure 2', null]);
    expect(successes.slice(0, 4)).toEqual([null, null, null, expect.any(Date)]);
  });

  it('takes over a task when the lease of another process expires', async () => {
    const name = 'abandoned';
    const claim = { names: [name], holder: crypto.randomUUID(), leaseS: 600, limit: 1 };
    await ensureScheduledTasks(ctx.db, [{ name, everyS: 600 }]);
    expect(await claimDueTasks(ctx.db, claim)).toEqual([name]);
    expect(await claimDueTasks(ctx.db, { ...claim, holder: crypto.randomUUID() })).toEqual([]);
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    start({ name, everyS: 600, run });
    await ctx.db
      .updateTable('scheduledTasks')
      .set({ leaseUntil: new Date(0) })
      .where('name', '=', name)
      .execute();
    await waitUntil(async () => (await findTask(ctx, name))?.lastFinishedAt ?? undefined);
    expect(runs).toBe(1);
    expect(await findTask(ctx, name)).toMatchObject({ leaseHolder: null, leaseUntil: null, lastError: null });
  });

  it('runs a task sooner when its interval becomes shorter', async () => {
    await ensureScheduledTasks(ctx.db, [{ name: 'interval', everyS: 600 }]);
    await ctx.db
      .updateTable('scheduledTasks')
      .set({ nextRunAt: new Date(Date.now() + 600_000) })
      .where('name', '=', 'interval')
      .execute();
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    start({ name: 'interval', everyS: 0.01, run });
    await waitUntil(() => runs > 1);
  });
});
