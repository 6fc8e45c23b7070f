import { authorizer } from '../../shared/contract/authorizer.ts';
import type { CapabilityName } from '../../shared/contract/capabilities.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { readInterface } from '../../shared/contract/endpoints/access-endpoints.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import type { SettingName } from '../../shared/contract/settings.ts';
import { workers } from '../../shared/contract/workers.ts';
import { type DeploymentSettings, extraAttributesOf } from '../settings/settings.ts';
import type { FunctionSource } from './esbuild-options.ts';
import { interfaceTexts } from './interface-texts.ts';
import { logoTexts } from './logo.ts';

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const fileOf = ({ area, operation }: Endpoint): string => `${area}/${kebabCase(operation)}`;

export const functionFiles: readonly string[] = [
  authorizer.file,
  ...endpoints.map(fileOf),
  ...workers.map(({ file }) => file),
  ...jobs.map(({ file }) => file),
];

export type PackedSettings = Pick<DeploymentSettings, 'extraAttributes' | 'logo'>;

const loadedLater: Readonly<Record<string, string>> = { messages: 'shared/storage/messages/bodies.ts' };

const laterOf = (uses: readonly CapabilityName[]): string[] => [
  ...new Set(uses.flatMap((use) => loadedLater[use.split(':')[0] ?? ''] ?? [])),
];

/** Everything that is packed beside a function's own bundle in this deployment. */
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
