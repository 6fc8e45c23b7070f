import { type SettingName, settingVariable } from '../../shared/contract/settings.ts';
import type { AwsCallListener } from './aws/emulators/aws-call.ts';
import { createAwsClient } from './aws/emulators/aws-client.ts';
import { startEmulators } from './aws/emulators/emulators.ts';
import { findFreePort } from './aws/emulators/ports.ts';
import type { RuntimeOptions } from './aws/functions/function-spec.ts';
import { startLambdaApi } from './aws/functions/lambda-api.ts';
import { startApiServer } from './aws/gateway/api-server.ts';
import { describeOutputs, type LocalOutputs } from './aws/template/outputs.ts';
import type { Assembly } from './aws/template/template.ts';
import { logLine, type StackListener } from './console/events.ts';
import { createActivity } from './console/page/activity.ts';
import { createStackConsole } from './console/page/stack-console.ts';
import { type Mounted, mountStack } from './mount.ts';
import { replacedSettings } from './own-settings.ts';

interface LocalStackOptions {
  /**
   * The cloud assembly, or a promise that resolves to the cloud assembly. If a promise is given, the emulators start
   * during synthesis.
   */
  assembly: Assembly | Promise<Assembly>;
  /** The port of the API. The default is 0, which selects any free port. */
  port?: number;
  dataDir?: string;
  /** Called with each line that a function logs. By default, prints the line unless `onEvent` is set. */
  onLog?: (line: string) => void;
  onEvent?: StackListener;
  /** Serves the console at `/`. */
  hasConsole?: boolean;
  environment?: Record<string, string>;
  /** Replaces the code in the assembly, or selects a function to debug. */
  code?: Pick<RuntimeOptions, 'folderOf' | 'inspected'>;
  /** The account's concurrency limit. If the limit is undefined, functions are never throttled. */
  concurrency?: number;
}

export interface LocalStack {
  outputs: LocalOutputs;
  /** Issues a token with the default claims and the given claims. Omits claims whose value is undefined. */
  issueToken(claims: Record<string, unknown>): Promise<string>;
  /** Invokes a function by construct id. Rejects with the error type and message if the function fails. */
  invoke(functionConstructId: string, event: unknown): Promise<unknown>;
  kill(functionConstructId: string): Promise<void>;
  /**
   * Adds a listener that can respond to the AWS calls that functions make. Returns a function that removes the
   * listener.
   */
  onAwsCall(listener: AwsCallListener): () => void;
  /** Reloads the code of bundles, and returns the construct ids of the affected functions. */
  reload(bundles: readonly string[]): Promise<string[]>;
  /**
   * Replaces the template. Data, tokens and addresses stay the same, and work in progress finishes with the old
   * template. If the new template cannot be started, the promise rejects and the old template stays in use.
   */
  remount(assembly: Assembly): Promise<void>;
  stop(): Promise<void>;
}

export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { dataDir, environment = {}, onEvent = () => {}, code, hasConsole = false, concurrency } = options;
  const { onLog = options.onEvent ? () => {} : (line: string) => console.log(line) } = options;
  const activity = createActivity(() => new Date());
  const emit: StackListener = (event) => {
    activity.record(event);
    const line = logLine(event);
    if (line !== undefined) onLog(line);
    onEvent(event);
  };
  // Prevents an unhandled rejection if synthesis fails before the promise is awaited.
  Promise.resolve(options.assembly).catch(() => {});
  const port = await findFreePort(options.port);
  const stops: (() => unknown)[] = [];
  // Stops all parts in reverse order, so that each part stops before the parts that it uses.
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };

  try {
    const starting = startEmulators(dataDir);
    // Stops the emulators even if the synthesis fails while the emulators are starting.
    stops.push(() => starting.then((started) => started.stop()).catch(() => {}));
    const [emulators, assembly] = await Promise.all([starting, options.assembly]);
    const { issuer, direct, endpoints, listeners } = emulators;

    const baseUrl = `http://127.0.0.1:${port}`;
    const dynamodb = createAwsClient(direct.dynamodb);
    const sqs = createAwsClient(direct.sqs);
    stops.push(dynamodb.close, sqs.close);
    const replaced = Object.entries(replacedSettings(issuer));
    const overrides = Object.fromEntries(
      replaced.map(([name, value]) => [settingVariable(name as SettingName), value]),
    );
    const runtimeOptions = { overrides, environment, onEvent: emit, ...code, ...(concurrency && { concurrency }) };
    const mountOptions = { port, emulators, dynamodb, sqs, runtimeOptions };
    let mounted = await mountStack(assembly, mountOptions);
    const draining = new Set<Mounted>();
    stops.push(() => Promise.all([mounted, ...draining].map((stack) => stack.stop())));
    const lambda = await startLambdaApi(() => mounted.runtime);
    stops.push(lambda.stop);
    const outputs = () =>
      describeOutputs(mounted.stack, mounted.runtime, { baseUrl, issuer, endpoints, lambdaEndpoint: lambda.endpoint });
    const invoke = async (functionConstructId: string, event: unknown): Promise<unknown> => {
      const { failure, payload } = await mounted.runtime.byConstructId(functionConstructId).invoke(event);
      if (failure) throw Object.assign(new Error(failure.errorMessage), { name: failure.errorType });
      return JSON.parse(payload);
    };
    const { issueToken } = issuer;
    const page = hasConsole ? createStackConsole({ dynamodb, outputs, activity, issueToken, invoke }) : undefined;
    if (page) stops.push(page.stop);
    const server = await startApiServer(port, mounted.gateway.handle, page);
    stops.push(server.stop);

    return {
      get outputs() {
        return outputs();
      },
      reload: (bundles) => mounted.runtime.reload(bundles),
      async remount(next) {
        const old = mounted;
        mounted = await mountStack(next, mountOptions);
        server.serve(mounted.gateway.handle);
        draining.add(old);
        void old
          .drain()
          .catch((error: unknown) => onLog(`the previous stack did not stop cleanly: ${String(error)}`))
          .then(() => draining.delete(old));
      },
      issueToken,
      invoke,
      kill: (functionConstructId) => mounted.runtime.byConstructId(functionConstructId).kill(),
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
