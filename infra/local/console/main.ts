import { once } from 'node:events';
import { createServer } from 'node:http';
import { endWith, lineOf, readOrEnd } from '../../operate/command-line.ts';
import { fromCommand } from '../../operate/token-command.ts';
import { findFreePort } from '../aws/emulators/ports.ts';
import { readOutputs } from '../aws/template/outputs.ts';
import { guard } from '../guard.ts';
import { onShutdown } from '../shutdown.ts';
import { describeStartError } from '../start-error.ts';
import { type ConsoleCommand, help, readConsoleCommand } from './options.ts';
import { createConsolePage } from './page/console-page.ts';
import { createOperator } from './page/operator/operator.ts';
import { awsTarget, localTarget } from './page/operator/target.ts';
import { createRegistryApi, createTokens } from './page/registry-api.ts';
import { createRemoteSource } from './page/remote/remote-source.ts';
import { scopesOf } from './page/shown-operations.ts';
import { consoleReceiver } from './page/stack-console.ts';

const operatorMaxAgeMs = 15_000;

/** Returns the registry's URL, whether the registry is a local stack, and the resources that an operator can read. */
async function openRegistry({ url, stage }: ConsoleCommand) {
  if (stage !== undefined) {
    const target = await awsTarget(stage);
    return { baseUrl: url ?? target.baseUrl, target, isLocal: false };
  }
  const local = (await readOutputs()).find(({ baseUrl }) => baseUrl === url?.replace('//localhost:', '//127.0.0.1:'));
  if (local === undefined) return { baseUrl: String(url), target: undefined, isLocal: false };
  return { baseUrl: local.baseUrl, target: localTarget(() => local), isLocal: true };
}

async function main(): Promise<void> {
  const command = readOrEnd(help, () => readConsoleCommand(process.argv.slice(2)));
  const [{ baseUrl, target, isLocal }, port] = await Promise.all([openRegistry(command), findFreePort(command.port)]);
  const issue = fromCommand(command.tokenCommand);
  const tokenOf = createTokens(() => issue(scopesOf(isLocal)), Date.now);
  // If the token command fails, reports the error before the server starts.
  await tokenOf();
  const api = createRegistryApi(baseUrl, tokenOf);
  const own = `http://127.0.0.1:${port}`;
  const page = createConsolePage({
    port,
    api,
    source: createRemoteSource(api, Date.now),
    operator: target && createOperator(target, { maxAgeMs: operatorMaxAgeMs, baseUrl }),
    receiver: isLocal ? consoleReceiver(baseUrl, () => tokenOf()) : undefined,
    about: {
      name: baseUrl,
      receiver: isLocal ? `${own}/console/receiver` : undefined,
      links: {
        'API reference': `${baseUrl}/v1/reference`,
        'Signing keys': `${baseUrl}/v1/.well-known/jwks.json`,
        Health: `${baseUrl}/v1/health`,
        OpenAPI: `${baseUrl}/v1/openapi.json`,
      },
    },
  });
  const server = guard(
    createServer((request, response) => page.handle(request, response)),
    { anyOrigin: true },
  );
  onShutdown(async () => {
    page.stop();
    server.close();
    server.closeAllConnections();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  console.log(`ready ${own}/   (in a browser; Ctrl-C stops the console)`);
}

main().catch((error: NodeJS.ErrnoException) =>
  endWith(error, error.code === 'EADDRINUSE' ? describeStartError(error) : lineOf(error)),
);
