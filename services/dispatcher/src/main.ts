import { openLogger } from '@uprez/runtime/open-logger';
import { orExit } from '@uprez/runtime/or-exit';
import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startDispatcher } from './start-dispatcher.ts';

const config = orExit(readConfig);
const logger = openLogger({ service: 'dispatcher', level: config.LOG_LEVEL });
await runService(logger, () => startDispatcher(config, logger));
