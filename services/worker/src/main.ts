import { runService } from '@uprez/runtime/run-service';
import { readConfig } from './config.ts';
import { startWorker } from './start-worker.ts';

await runService('worker', readConfig, startWorker);
