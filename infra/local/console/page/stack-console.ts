import { redeliver } from '../../../../shared/contract/jobs.ts';
import { scopes } from '../../../../shared/contract/scopes.ts';
import { receive } from '../../../../shared/receiver/receive.ts';
import type { AwsClient } from '../../aws/emulators/aws-client.ts';
import type { LocalOutputs } from '../../aws/template/outputs.ts';
import type { Activity } from './activity.ts';
import { type ConsolePage, createConsolePage } from './console-page.ts';
import type { Operator } from './operator/operator.ts';
import { createStackSource } from './reading/stack-source.ts';
import { createRegistryApi, createTokens } from './registry-api.ts';

interface StackParts {
  readonly dynamodb: AwsClient;
  readonly outputs: () => LocalOutputs;
  readonly activity: Activity;
  readonly issueToken: (claims: Record<string, unknown>) => Promise<string>;
  readonly invoke: (constructId: string, event: unknown) => Promise<unknown>;
}

const operatorMaxAgeMs = 1000;

/** Returns a receiver that confirms its subscriptions and accepts all events. */
export const consoleReceiver = (registry: string, accessToken: () => Promise<string>) =>
  receive({ registry, accessToken, onEvent: () => {}, onError: () => {} });

/**
 * Loads the AWS clients only when a page is opened, because loading them earlier would delay the start of the stack.
 */
function openLater(outputs: () => LocalOutputs): Operator {
  let opened: Promise<Operator> | undefined;
  const open = async () => {
    const { createOperator } = await import('./operator/operator.ts');
    const { localTarget } = await import('./operator/target.ts');
    return createOperator(localTarget(outputs), { maxAgeMs: operatorMaxAgeMs });
  };
  const operator = (): Promise<Operator> => {
    opened ??= open();
    return opened;
  };
  return {
    read: async () => (await operator()).read(),
    readJournal: async (input) => (await operator()).readJournal(input),
  };
}

/** Creates the console that a local stack serves at its base URL. */
export function createStackConsole({ issueToken, invoke, ...stack }: StackParts): ConsolePage {
  const { baseUrl } = stack.outputs();
  const issue = () => issueToken({ scope: Object.keys(scopes).join(' ') });
  const tokenOf = createTokens(issue, Date.now);
  return createConsolePage({
    port: Number(new URL(baseUrl).port),
    source: createStackSource(stack),
    api: createRegistryApi(baseUrl, tokenOf),
    operator: openLater(stack.outputs),
    receiver: consoleReceiver(baseUrl, () => tokenOf()),
    about: {
      name: 'Local stack',
      receiver: `${baseUrl}/console/receiver`,
      links: {
        'API reference': '/console/reference',
        'Mail inbox': '/console/inbox',
        'Signing keys': '/v1/.well-known/jwks.json',
        Health: '/v1/health',
        OpenAPI: '/v1/openapi.json',
      },
    },
    tools: {
      inboxUrl: () => stack.outputs().inboxUrl,
      issueToken: issue,
      redeliver: (choice) => invoke(redeliver.job, choice),
    },
  });
}
