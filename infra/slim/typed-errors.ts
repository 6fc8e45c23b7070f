import { readFile } from 'node:fs/promises';
import type { PluginBuild } from 'esbuild';

/**
 * The errors of AWS that a source of ours tells from others by their class, by client. A client brings a class for each error of
 * all operations of its service; of the others the name, the message and the status arrive in the class that they all extend.
 */
export const typedErrors: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-dynamodb': [
    'ConditionalCheckFailedException',
    'TransactionCanceledException',
    'TransactionConflictException',
  ],
  '@aws-sdk/client-secrets-manager': ['ResourceNotFoundException'],
  '@aws-sdk/client-sqs': [],
};

// The schema of an error, and that it is registered.
const registered = /^export var (\w+)\$ = \[-3, n0,[^;]*;\nn0_registry\.registerError\(\1\$, \1\);$/gm;

/** Has a client register no other errors than those, so that the bundler leaves out the rest. */
export function registerTypedErrors({ onLoad }: PluginBuild): void {
  for (const [client, typed] of Object.entries(typedErrors))
    onLoad({ filter: new RegExp(`/node_modules/${client}/dist-es/schemas/schemas_0\\.js$`) }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replace(registered, (text, error: string) => (typed.includes(error) ? text : '')) };
    });
}
