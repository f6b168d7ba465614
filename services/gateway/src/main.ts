import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runService('gateway', readConfig, startGateway);
