import { authorizer } from '../shared/contract/authorizer.ts';
import type { CapabilityName } from '../shared/contract/capabilities.ts';
import type { Endpoint } from '../shared/contract/endpoint.ts';
import { readInterface } from '../shared/contract/endpoints/access.ts';
import { endpoints } from '../shared/contract/endpoints.ts';
import { jobs } from '../shared/contract/jobs.ts';
import { workers } from '../shared/contract/workers.ts';
import type { FunctionSource } from './esbuild-options.ts';
import { interfaceTexts } from './interface-texts.ts';

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The file of an endpoint's function, under functions/ and without its ending. */
export const fileOf = ({ area, operation }: Endpoint): string => `${area}/${kebabCase(operation)}`;

/** The files of every function that the stack deploys. */
export const functionFiles: readonly string[] = [
  authorizer.file,
  ...endpoints.map(fileOf),
  ...workers.map(({ file }) => file),
  ...jobs.map(({ file }) => file),
];

/** What stores load only when they need it, by the store. */
const loadedLater: Readonly<Record<string, string>> = { messages: 'shared/storage/messages/bodies.ts' };

const laterOf = (uses: readonly CapabilityName[]): string[] => [
  ...new Set(uses.flatMap((use) => loadedLater[use.split(':')[0] ?? ''] ?? [])),
];

/**
 * What has to be packed with a function beside its own bundle.
 * @param extraAttributes those that the deployment declares, which its description names
 */
export function packingOf(file: string, extraAttributes: readonly string[]): Omit<FunctionSource, 'file'> {
  const endpoint = endpoints.find((one) => fileOf(one) === file);
  const { packages = [], threads = [] } = endpoint?.runsOn ?? {};
  const { uses = [] } = endpoint ?? [...workers, ...jobs].find((one) => one.file === file) ?? {};
  const texts = file === fileOf(readInterface) ? interfaceTexts(extraAttributes) : {};
  return { packages, beside: [...threads, ...laterOf(uses)], texts };
}
