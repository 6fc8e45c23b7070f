import { authorizer } from '../../shared/contract/authorizer.ts';
import type { CapabilityName } from '../../shared/contract/capabilities.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { readInterface } from '../../shared/contract/endpoints/access.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import type { SettingName } from '../../shared/contract/settings.ts';
import { workers } from '../../shared/contract/workers.ts';
import type { FunctionSource } from '../esbuild-options.ts';
import { type DeploymentSettings, extraAttributesOf } from '../settings/settings.ts';
import { interfaceTexts } from './interface-texts.ts';
import { logoTexts } from './logo.ts';

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

/** What is packed with functions follows from these. */
export type PackedSettings = Pick<DeploymentSettings, 'extraAttributes' | 'logo'>;

/** What stores load only when they need it, by the store. */
const loadedLater: Readonly<Record<string, string>> = { messages: 'shared/storage/messages/bodies.ts' };

const laterOf = (uses: readonly CapabilityName[]): string[] => [
  ...new Set(uses.flatMap((use) => loadedLater[use.split(':')[0] ?? ''] ?? [])),
];

/** What has to be packed with a function of this deployment beside its own bundle. */
export function packingOf(file: string, settings: PackedSettings): Omit<FunctionSource, 'file'> {
  const endpoint = endpoints.find((one) => fileOf(one) === file);
  const { packages = [], threads = [] } = endpoint?.runsOn ?? {};
  const { uses = [], reads = [] } = endpoint ?? [...workers, ...jobs].find((one) => one.file === file) ?? {};
  const texts = {
    ...(file === fileOf(readInterface) ? interfaceTexts(extraAttributesOf(settings)) : {}),
    ...((reads as readonly SettingName[]).includes('logo') ? logoTexts(settings.logo) : {}),
  };
  return { packages, beside: [...threads, ...laterOf(uses)], texts };
}
