import type { Logger } from './open-logger.ts';

export type RunningService = {
  /** Finish what is in hand and close everything; called once. */
  close: () => Promise<void>;
};

const hardLimitMs = 28_000;

/** Run a service until SIGTERM or SIGINT. Exits with 1 when the start fails, or when closing takes over 28 s. */
export async function runService(logger: Logger, start: () => Promise<RunningService>): Promise<void> {
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'a promise was rejected and nobody handled it');
    process.exit(1);
  });
  const service = await start().catch((error: unknown) => {
    logger.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  });
  let closing = false;
  const stop = (signal: string) => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('closing took too long');
      process.exit(1);
    }, hardLimitMs).unref();
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}
