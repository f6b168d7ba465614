import { parseArgs } from 'node:util';
import { logLevels, telemetrySchema } from '@uprez/contracts/schemas/telemetry';
import { changeTelemetry, readTelemetry } from '@uprez/domain/telemetry/telemetry';
import { exitOnError } from '@uprez/runtime/run-service';
import { readDatabaseConfig } from './config.ts';
import { runDatabaseCommand } from './run-command.ts';

const maxMinutes = 1_440;
const usage = `Usage: telemetry [--log-level LEVEL] [--trace-ratio RATIO] [--minutes MINUTES] | --reset
  --log-level    ${logLevels.join(', ')}
  --trace-ratio  share of requests that are traced, 0 to 1
  --minutes      until the settings apply again, 1 to ${maxMinutes}; 60 by default
  --reset        applies the settings again now`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      'log-level': { type: 'string' },
      'trace-ratio': { type: 'string' },
      minutes: { type: 'string', default: '60' },
      reset: { type: 'boolean', default: false },
    },
  });
  const ratio = values['trace-ratio'];
  const change = telemetrySchema.safeParse({
    logLevel: values['log-level'],
    // `Number('')` is 0, but an empty value must be invalid.
    traceRatio: ratio?.trim() ? Number(ratio) : ratio,
  });
  const minutes = Number(values.minutes);
  const isChange = values['log-level'] !== undefined || ratio !== undefined;
  if (!change.success || !Number.isInteger(minutes) || minutes < 1 || minutes > maxMinutes) throw new Error(usage);
  if (values.reset && isChange) throw new Error(usage);
  return { ...change.data, minutes, isReset: values.reset, isChange };
}

/**
 * Temporarily changes the log level and sampling ratio of all running services. Without options, prints the current
 * values.
 */
const { DATABASE_URL } = exitOnError(readDatabaseConfig);
const { isReset, isChange, ...change } = exitOnError(readOptions);
await runDatabaseCommand({ DATABASE_URL }, async (db) => {
  if (isReset) {
    await changeTelemetry({ db }, { minutes: 0 });
    console.log('The settings of the services apply again within 2 seconds.');
  } else if (isChange) {
    const until = await changeTelemetry({ db }, change);
    console.log(`Applies in all services within 2 seconds, until ${until.toISOString()}.`);
  } else {
    const now = await readTelemetry({ db });
    console.log(Object.keys(now).length > 0 ? JSON.stringify(now) : 'The settings of the services apply.');
  }
});
