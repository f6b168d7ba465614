import { openLogger } from '@uprez/runtime/open-logger';
import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

const config = readConfig();
const logger = openLogger({ service: 'gateway', level: config.LOG_LEVEL });
await runService(logger, () => startGateway(config, logger));
