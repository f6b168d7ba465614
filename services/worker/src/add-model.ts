import { parseArgs } from 'node:util';
import { customNameHint, customNamePattern, modelUses, nameCustomEngine } from '@uprez/contracts/policy/images/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { ModelError, modelStatementsSchema } from '@uprez/models/custom/custom-model';
import { probeJail } from '@uprez/runtime/jail';
import { installModel } from './custom-models/install-model.ts';

const usage = `Usage: npm run models:add FILE -- --name NAME --title TITLE --license LICENSE --source SOURCE --for ${modelUses.join('|')}

  FILE       An ONNX model, in FP32, for RGB images with values from 0 to 1
  --name     Name of the engine: ${customNameHint}
  --title    Title for people
  --license  License of the weights, such as CC-BY-4.0
  --source   Where the weights come from, such as a URL
  --for      What the model was trained on

Folder: MODELS_DIR, else DATA_DIR/models, else .data/models
`;

const text = { type: 'string' } as const;
const options = { name: text, title: text, license: text, source: text, for: text, help: { type: 'boolean' } } as const;

/** Adds a model from the command line. Returns the exit code: 1 if the model can't be used, 2 for wrong arguments. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const [file, ...more] = positionals;
  const { data: statements } = modelStatementsSchema.safeParse(values);
  const { name = '' } = values;
  if (!file || more.length > 0 || !statements || !customNamePattern.test(name)) {
    process.stderr.write(usage);
    return 2;
  }
  const modelsDir = modelsDirOfEnvironment();
  const jail = probeJail('auto');
  if (jail.kind === 'none')
    throw new ModelError("This machine can't isolate the check. Add the model on Linux with `unshare` and `setpriv`.");
  const { model, folder } = await installModel({ file, name, statements, modelsDir, jail });
  const engine = nameCustomEngine(name);
  const { scale, radius, overlap, pixelsPerSecond, psnrDb } = model;
  process.stdout.write(`${folder}
scale ${scale}x, receptive radius ${radius} pixels, tile overlap ${overlap} pixels, ${pixelsPerSecond} pixels per second, PSNR ${psnrDb.toFixed(1)} dB
Running workers with this MODELS_DIR offer it as engine ${engine} within 5 seconds.
Try it with: uprez-image INPUT OUTPUT --engine ${engine}
`);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isArgument = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof ModelError ? `The model wasn't added. ${message}\n` : `${message}\n`);
  if (isArgument) process.stderr.write(usage);
  process.exitCode = isArgument ? 2 : 1;
}
