import { readAccess } from './access.ts';
import type { AwsCallListener } from './aws-call.ts';
import { createAwsClient } from './aws-client.ts';
import { startEmulators } from './emulators.ts';
import { startEventSources } from './event-sources.ts';
import { logLine, type StackListener } from './events.ts';
import { startGateway } from './gateway.ts';
import { audience } from './issuer.ts';
import { startLambdaApi } from './lambda-api.ts';
import { describeOutputs, type LocalOutputs } from './outputs.ts';
import { findFreePort } from './ports.ts';
import { createBuckets, createQueues, createSecrets, createTables } from './provisioning.ts';
import { startRuntime } from './runtime.ts';
import { startSchedules } from './schedules.ts';
import { openStack } from './stack.ts';
import { type Assembly, readTemplate } from './template.ts';

export interface LocalStackOptions {
  /** May still be on its way: the emulators start meanwhile. */
  assembly: Assembly | Promise<Assembly>;
  /** 0, the default, is any free one. */
  port?: number;
  /** Keeps tables, queues, objects and the issuer's key across restarts; without it nothing is kept. */
  dataDir?: string;
  /**
   * One line per line that a function logs, prefixed with the function's name. They are printed unless this or `onEvent`
   * takes them.
   */
  onLog?: (line: string) => void;
  /** Hears of requests, of what functions log, and of their failures. */
  onEvent?: StackListener;
  /** Extra variables for every function. */
  environment?: Record<string, string>;
}

export interface LocalStack {
  outputs: LocalOutputs;
  /** Signs these claims with the issuer's key, over the usual ones; undefined leaves a claim out. */
  issueToken(claims: Record<string, unknown>): Promise<string>;
  /** Calls a function by its construct id. Rejects with the function's error type and message where it fails. */
  invoke(functionConstructId: string, event: unknown): Promise<unknown>;
  /** Ends a function's sandboxes in the middle of whatever they do. */
  kill(functionConstructId: string): Promise<void>;
  /** Sees every AWS call that a function makes and may answer it in the service's place. Returns the way to stop. */
  onAwsCall(listener: AwsCallListener): () => void;
  /** Leaves no process, port or timer behind. */
  stop(): Promise<void>;
}

/** Runs a synthesized stack on this machine. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { dataDir, environment = {}, onEvent = () => {} } = options;
  const { onLog = options.onEvent ? () => {} : (line: string) => console.log(line) } = options;
  const tell: StackListener = (event) => {
    const line = logLine(event);
    if (line !== undefined) onLog(line);
    onEvent(event);
  };
  // Its failure is ours to report, and only once we wait for it.
  Promise.resolve(options.assembly).catch(() => {});
  const port = await findFreePort(options.port);
  const stops: (() => unknown)[] = [];
  // The last one started is the first one stopped: no door closes on somebody who still works behind it.
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };

  try {
    const starting = startEmulators(dataDir);
    // When synthesis fails first, the emulators have to be stopped all the same.
    stops.push(() => starting.then((started) => started.stop()).catch(() => {}));
    const [emulators, assembly] = await Promise.all([starting, options.assembly]);
    const { issuer, fauxqs, secrets, direct, endpoints, listeners } = emulators;

    const baseUrl = `http://127.0.0.1:${port}`;
    const stack = openStack(readTemplate(assembly), { baseUrl, sqsEndpoint: endpoints.sqs });
    const dynamodb = createAwsClient(direct.dynamodb);
    const sqs = createAwsClient(direct.sqs);
    stops.push(dynamodb.close, sqs.close);
    createBuckets(stack, fauxqs);
    createSecrets(stack, secrets);
    await Promise.all([createTables(stack, dynamodb), createQueues(stack, fauxqs, sqs)]);
    emulators.enforce(readAccess(stack));

    const overrides = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, OIDC_JWKS_URI: issuer.jwksUrl };
    const runtime = startRuntime(stack, { endpoints, overrides, environment, onEvent: tell });
    const lambda = await startLambdaApi(runtime);
    stops.push(lambda.stop);
    const sources = startEventSources(stack, runtime, sqs);
    stops.push(startSchedules(stack, runtime, tell));
    // Work in flight is cut off, as by a crash: the queues keep what was not finished.
    stops.push(async () => {
      await Promise.all([sources.stop(), runtime.stop()]);
    });
    const gateway = await startGateway(stack, runtime, port, tell);
    stops.push(gateway.stop);

    return {
      outputs: describeOutputs(stack, runtime, { baseUrl, issuer, endpoints, lambdaEndpoint: lambda.endpoint }),
      issueToken: issuer.issueToken,
      async invoke(functionConstructId, event) {
        const { failure, payload } = await runtime.byConstructId(functionConstructId).invoke(event);
        if (failure) throw Object.assign(new Error(failure.errorMessage), { name: failure.errorType });
        return JSON.parse(payload);
      },
      kill: (functionConstructId) => runtime.byConstructId(functionConstructId).kill(),
      onAwsCall(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
