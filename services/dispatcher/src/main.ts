import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startDispatcher } from './start-dispatcher.ts';

await runService('dispatcher', readConfig, startDispatcher);
