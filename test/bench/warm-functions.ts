import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import type { LocalOutputs } from '../../infra/local/aws/template/outputs.ts';
import { startLocalStack } from '../../infra/local/start.ts';
import { capabilities, variableOf } from '../../shared/contract/capabilities.ts';
import { bundle, deployedBundles } from './cold-functions.ts';
import { type Helper, startHelper } from './process.ts';
import { progressBar } from './terminal.ts';
import type { WarmQuestion as AwsQuestion } from './warm-aws.ts';
import { warmEvents } from './warm-events.ts';
import type { WarmAnswer, WarmQuestion } from './warm-process.ts';

/** A function that runs in its own process. */
export type WarmProcess = Helper<WarmQuestion, WarmAnswer>;

const processFile = new URL('warm-process.ts', import.meta.url);

const lambdaVariables = (endpoint: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  WARM_UP: 'off',
});

/** Returns the values of the environment variables that name resources. Queue URLs point to the recording proxy. */
function placesIn({ resources }: LocalOutputs, endpoint: string): ReadonlyMap<string, string | undefined> {
  const places = Object.values(capabilities).map((capability): [string, string | undefined] => {
    const variable = variableOf(capability);
    if ('table' in capability) return [variable, resources.tables[capability.table]];
    if ('bucket' in capability) return [variable, resources.buckets[capability.bucket]];
    if ('secret' in capability) return [variable, resources.secrets[capability.secret]];
    if (!('queue' in capability)) return [variable, undefined];
    return [variable, resources.queues[capability.queue]?.replace(/^http:\/\/[^/]+/, endpoint)];
  });
  return new Map(places);
}

/**
 * Sends two requests to each deployed function on the embedded servers, and records the AWS calls. The returned
 * functions start a new process that runs a deployed function, or a bare function with the same AWS calls.
 * @param folder the folder for the builds
 */
export async function recordWarm(aws: Helper<AwsQuestion, unknown>, folder: string) {
  const starting = progressBar('starting', 3);
  const assembly = await synthesizeLocally({ outdir: join(folder, 'assembly') });
  starting.at(1);
  const stack = await startLocalStack({ assembly, onLog: () => {} });
  starting.at(2);
  try {
    const { outputs } = stack;
    const services = {
      dynamodb: outputs.dynamodbEndpoint,
      sqs: outputs.sqsEndpoint,
      s3: outputs.s3Endpoint,
      secretsmanager: outputs.secretsManagerEndpoint,
    };
    const endpoint = String(await aws.ask({ ask: 'open', services }));
    const places = placesIn(outputs, endpoint);
    const bundles = deployedBundles(assembly, (variable) => places.get(variable) ?? outputs.baseUrl);
    const events = await warmEvents(stack);
    starting.end();

    const startOurs = (name: string): WarmProcess => {
      const found = bundles.find((one) => one.name === name);
      if (found === undefined) throw new Error(`no function ${name}`);
      const own = { BENCH_ENTRY: found.entry, BENCH_NAME: name, ALLOWED_NETWORKS: '127.0.0.0/8' };
      return startHelper(processFile, { ...found.variables, ...lambdaVariables(endpoint), ...own });
    };

    const bar = progressBar('recording', Object.keys(events).length);
    for (const [index, [name, asked]] of Object.entries(events).entries()) {
      const process = startOurs(name);
      for (const [nth, event] of asked.entries()) {
        await aws.ask({ ask: 'record', name: nth === 0 ? `${name}, first` : name });
        await process.ask({ event: JSON.stringify(event), times: 1 });
      }
      await process.stop();
      bar.at(index + 1);
    }
    bar.end();

    const replay = join(folder, 'replay.mjs');
    await bundle('baselines/replay.ts', replay);
    const startBare = async (name: string): Promise<WarmProcess> => {
      const stages = join(folder, `${name}.json`);
      await writeFile(stages, JSON.stringify(await aws.ask({ ask: 'recorded', name })));
      const own = { BENCH_ENTRY: pathToFileURL(replay).href, BENCH_NAME: `bare ${name}`, BENCH_STAGES: stages };
      return startHelper(processFile, { ...lambdaVariables(endpoint), ...own });
    };
    return { events, startOurs, startBare };
  } finally {
    await stack.stop();
  }
}
