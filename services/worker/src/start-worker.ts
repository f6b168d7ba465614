import { isDrained } from '@uprez/contracts/schemas/admin/workers';
import type { Readiness, WorkerInfo } from '@uprez/contracts/schemas/health';
import { ping } from '@uprez/db/queries/instance/instance';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { deleteWorker, upsertWorker } from '@uprez/db/queries/jobs/workers';
import { readTelemetry } from '@uprez/domain/telemetry/telemetry';
import { expectedSpeed } from '@uprez/imaging/pipeline/estimate';
import type { Logger } from '@uprez/runtime/open-logger';
import { openOperatorServer } from '@uprez/runtime/open-operator-server';
import { repeat } from '@uprez/runtime/repeat';
import { checkDisk, makeResourceChecks, runChecks } from '@uprez/runtime/run-checks';
import type { RunningService } from '@uprez/runtime/run-service';
import { watchTelemetry } from '@uprez/runtime/watch-telemetry';
import type { Config } from './config.ts';
import { openJobConsumer } from './consumer.ts';
import { type Deps, openDeps } from './deps.ts';
import type { SlotInfo } from './engine-set.ts';
import { openJobFolders } from './job-folders.ts';
import { openMediaConsumer } from './open-media-consumer.ts';
import { openSlot, type Slot } from './slot.ts';

const announceMs = 5_000;

/** Starts a worker: warms up its slots, consumes jobs, and announces the worker in the registry. */
export async function startWorker(config: Config, logger: Logger): Promise<RunningService> {
  const deps = openDeps(config, logger);
  if (deps.jail.kind === 'none') logger.warn('namespaces not available: children run without a jail');
  if (deps.jail.missing) logger.warn({ missing: deps.jail.missing }, 'children run in a weaker jail');
  const folders = await openJobFolders(
    { root: config.JOB_DIR, workerId: deps.workerId, user: deps.jail.user },
    { onError: (error) => logger.warn({ err: error }, 'checking the folders of jobs failed') },
  );
  const slots = Array.from({ length: config.WORKER_CONCURRENCY }, () => openSlot(deps));
  const consumer = openJobConsumer(deps, slots, folders);
  const announce = async () => {
    const info = describe(deps, slots);
    if (info) await Promise.all([deps.registry.announce(info), storeHeartbeat(deps, info)]);
  };
  const watching = watchPauses(deps, { consumer, checkDisk: () => checkDisk(foldersOf(config)) });
  // Workers of a reserved pool don't process the media library.
  const media = config.WORKER_POOL ? undefined : openMediaConsumer(deps, folders, watching.mayClaim);
  const telemetry = watchTelemetry(config, logger, () => readTelemetry(deps));
  const announcing = repeat(announceMs, announce, (error) => logger.warn({ err: error }, 'worker announcement failed'));
  void Promise.all(slots.map((slot) => slot.ready())).then(announce);
  const operator = await openOperatorServer(config, {
    readiness: () => readReadiness(deps, slots),
    metrics: deps.metrics,
  });
  logger.info({ port: operator.port }, 'operator endpoints are up');
  return {
    close: async () => {
      // Close the consumer at the same time, because otherwise a slot that becomes free would claim another job.
      const closeWatchers = async () => {
        await Promise.all([announcing, watching, media, telemetry].map((one) => one?.close()));
        await deps.registry.withdraw(deps.workerId);
      };
      await Promise.all([consumer.close(config.DRAIN_S * 1_000), closeWatchers()]);
      await Promise.all(slots.map((slot) => slot.close()));
      await deleteWorker(deps.db, deps.workerId).catch((error: unknown) =>
        logger.warn({ err: error }, 'removing the worker failed'),
      );
      await folders.close();
      await operator.close();
      await deps.close();
    },
  };
}

const foldersOf = ({ JOB_DIR, DATA_DIR, storage }: Config) => [JOB_DIR, ...(storage.kind === 'disk' ? [DATA_DIR] : [])];

/** Only logs errors, because the next heartbeat stores it again. */
const storeHeartbeat = ({ db, config, log }: Deps, { id, engines, device, slots }: WorkerInfo) =>
  upsertWorker(db, { id, name: config.WORKER_NAME, pool: config.WORKER_POOL ?? null, engines, device, slots }).catch(
    (error: unknown) => log.warn({ err: error }, 'storing the heartbeat failed'),
  );

/** Returns the capabilities of this worker, or undefined until a slot is warm. */
function describe(deps: Deps, slots: readonly Slot[]): WorkerInfo | undefined {
  const ready = slots.map((slot) => slot.info()).find((info) => info !== undefined);
  const expected = ({ engine, variant }: Loaded) =>
    ready?.device === 'cpu' ? expectedSpeed(engine, variant) : undefined;
  return (
    ready && {
      id: deps.workerId,
      engines: ready.engines,
      installing: ready.installing,
      device: ready.device,
      networks: ready.networks.map((network) => ({
        ...network,
        pixelsPerSecond: findSpeed(slots, network) ?? expected(network) ?? null,
      })),
      printProfiles: [...deps.printProfiles].map(([name, { description }]) => ({ name, description })),
      customModels: Object.fromEntries(ready.customModels),
      slots: slots.length,
      pool: deps.config.WORKER_POOL ?? null,
      jail: deps.jail.kind,
    }
  );
}

type Loaded = SlotInfo['networks'][number];

/** From the first slot that has measured it, in input pixels per second. */
const findSpeed = (slots: readonly Slot[], { engine }: Loaded): number | undefined =>
  slots.map((slot) => slot.speed(engine)).find((speed) => speed !== undefined);

async function readReadiness(deps: Deps, slots: readonly Slot[]): Promise<Readiness> {
  const checks = await runChecks({
    database: () => ping(deps.db),
    storage: async () => deps.storage.check(await deps.storageId()),
    redis: () => deps.queue.ping(),
    redisSettings: () => deps.queue.checkSettings(),
    ...makeResourceChecks(foldersOf(deps.config)),
    slots: async () => {
      if (!slots.every((slot) => slot.info())) throw new Error('warming up');
    },
  });
  const info = describe(deps, slots);
  const jobs = await readJobSettings(deps.db).catch(() => undefined);
  const ready = Object.values(checks).every((state) => state === 'ok');
  return { ready, checks: { ...checks, jail: deps.jail.kind }, ...(jobs && { jobs }), workers: info ? [info] : [] };
}

const watchMs = 500;

type Watched = {
  consumer: Pick<ReturnType<typeof openJobConsumer>, 'claimAll' | 'setPaused'>;
  /** Throws if a disk is full or its folder can't be read. */
  checkDisk: () => Promise<void>;
};

/**
 * Reads the paused engines and drained workers twice a second. When they change, all slots claim jobs, because the
 * messages for waiting jobs may be gone. A worker that is drained or has a full disk leaves messages and jobs to other
 * workers. `mayClaim`: whether the settings have been read and the worker accepts jobs.
 */
function watchPauses(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  { consumer, checkDisk }: Watched,
): { mayClaim: () => boolean; close: () => Promise<void> } {
  let known: string | undefined;
  let pausedFor: string | undefined;
  const read = async () => {
    const settings = await readJobSettings(db);
    const reason = isDrained(settings, config.WORKER_NAME)
      ? 'drained'
      : await checkDisk().then(
          () => undefined,
          () => 'disk',
        );
    const text = JSON.stringify(settings);
    const isFirst = known === undefined;
    if (text === known && reason === pausedFor) return;
    if (reason !== pausedFor) {
      consumer.setPaused(reason !== undefined);
      log.info({ name: config.WORKER_NAME, reason }, reason === undefined ? 'worker resumed' : 'worker paused');
    }
    pausedFor = reason;
    known = text;
    if (!isFirst && reason === undefined) consumer.claimAll();
  };
  const watching = repeat(watchMs, read, (error) => log.warn({ err: error }, 'reading job settings failed'));
  return { mayClaim: () => known !== undefined && pausedFor === undefined, close: watching.close };
}
