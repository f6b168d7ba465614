import { formatError, runAction } from './run-action.ts';

const log = (text: string) => process.stdout.write(`${text}\n`);
try {
  process.exitCode = (await runAction(log)) ? 0 : 1;
} catch (error) {
  log(formatError(error));
  process.exitCode = 1;
}
