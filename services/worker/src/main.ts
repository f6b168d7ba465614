import { openLogger } from '@uprez/runtime/open-logger';
import { orExit } from '@uprez/runtime/or-exit';
import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startWorker } from './start-worker.ts';

const config = orExit(readConfig);
const logger = openLogger({ service: 'worker', level: config.LOG_LEVEL });
await runService(logger, () => startWorker(config, logger));
