import { openLogger } from '@uprez/runtime/open-logger';
import { orExit } from '@uprez/runtime/or-exit';
import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

const config = orExit(readConfig);
const logger = openLogger({ service: 'gateway', level: config.LOG_LEVEL });
await runService(logger, () => startGateway(config, logger));
