import { settingVariable } from '../../shared/contract/settings.ts';
import type { AwsCallListener } from './aws/emulators/aws-call.ts';
import { createAwsClient } from './aws/emulators/aws-client.ts';
import { startEmulators } from './aws/emulators/emulators.ts';
import { audience } from './aws/emulators/issuer.ts';
import { findFreePort } from './aws/emulators/ports.ts';
import type { RuntimeOptions } from './aws/functions/function-spec.ts';
import { startLambdaApi } from './aws/functions/lambda-api.ts';
import { startApiServer } from './aws/gateway/api-server.ts';
import { describeOutputs, type LocalOutputs } from './aws/template/outputs.ts';
import type { Assembly } from './aws/template/template.ts';
import { logLine, type StackListener } from './console/events.ts';
import { createHeard } from './console/page/activity.ts';
import { createConsolePage } from './console/page/console-page.ts';
import { type Mounted, mountStack } from './mount.ts';

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
  /** Serves the console for browsers at `/`. */
  hasConsole?: boolean;
  /** Extra variables for every function. */
  environment?: Record<string, string>;
  /** Where the code of the functions is, and which one runs in a debugger; without it, all is as the assembly has it. */
  code?: Pick<RuntimeOptions, 'folderOf' | 'inspected'>;
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
  /** Takes the code of these bundles from where it is now. Answers whose code that is, by construct id. */
  renew(bundles: readonly string[]): Promise<string[]>;
  /**
   * Replaces the template: data, tokens and addresses stay, and what has begun is finished as it began. Where the new one
   * cannot be set to work, it rejects and the old one goes on.
   */
  remount(assembly: Assembly): Promise<void>;
  /** Leaves no process, port or timer behind. */
  stop(): Promise<void>;
}

/** Runs a synthesized stack on this machine. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { dataDir, environment = {}, onEvent = () => {}, code, hasConsole = false } = options;
  const { onLog = options.onEvent ? () => {} : (line: string) => console.log(line) } = options;
  const heard = createHeard(() => new Date());
  const tell: StackListener = (event) => {
    heard.hear(event);
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
    const { issuer, direct, endpoints, listeners } = emulators;

    const baseUrl = `http://127.0.0.1:${port}`;
    const dynamodb = createAwsClient(direct.dynamodb);
    const sqs = createAwsClient(direct.sqs);
    stops.push(dynamodb.close, sqs.close);
    const overrides = {
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: audience,
      OIDC_JWKS_URI: issuer.jwksUrl,
      OIDC_TOKEN_URL: issuer.tokenUrl,
      // Receivers run on this machine too.
      [settingVariable('allowedNetworks')]: '127.0.0.0/8,::1/128',
    };
    const runtimeOptions = { overrides, environment, onEvent: tell, ...code };
    const ground = { port, emulators, dynamodb, sqs, runtimeOptions };
    let mounted = await mountStack(assembly, ground);
    const retiring = new Set<Mounted>();
    stops.push(() => Promise.all([mounted, ...retiring].map((one) => one.stop())));
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
    const page = hasConsole && createConsolePage({ port, dynamodb, sqs, outputs, heard, issueToken, invoke });
    if (page) stops.push(page.stop);
    const server = await startApiServer(port, mounted.gateway.handle, page || undefined);
    stops.push(server.stop);

    return {
      get outputs() {
        return outputs();
      },
      renew: (bundles) => mounted.runtime.renew(bundles),
      async remount(next) {
        const old = mounted;
        mounted = await mountStack(next, ground);
        server.serve(mounted.gateway.handle);
        retiring.add(old);
        void old
          .retire()
          .catch((error: unknown) => onLog(`the stack before did not end well: ${String(error)}`))
          .then(() => retiring.delete(old));
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
