import { authorizer } from '../../shared/contract/authorizer.ts';
import type { CapabilityName } from '../../shared/contract/capabilities.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { readInterface } from '../../shared/contract/endpoints/access-endpoints.ts';
import { areaOf, endpoints } from '../../shared/contract/endpoints.ts';
import { interfaceFiles, interfaceMarks } from '../../shared/contract/interface-files.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { kebabCase } from '../../shared/contract/name-cases.ts';
import { openApi } from '../../shared/contract/openapi.ts';
import type { SettingName } from '../../shared/contract/settings.ts';
import { workers } from '../../shared/contract/workers.ts';
import { type DeploymentSettings, extraAttributesOf } from '../settings/settings.ts';
import type { FunctionSource } from './esbuild-options.ts';
import { logoTexts } from './logo.ts';
import { yamlOf } from './openapi-yaml.ts';
import { referencePage } from './reference-page.ts';

export const fileOf = (endpoint: Endpoint): string => `${areaOf(endpoint)}/${kebabCase(endpoint.operation)}`;

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

type FileName = keyof typeof interfaceFiles;

function textOf(name: FileName, extraAttributes: readonly string[]): string {
  const { part, mediaType } = interfaceFiles[name];
  if (part === undefined) return '{"status":"ok"}\n';
  const description = openApi({ ...interfaceMarks, extraAttributes }, part);
  if (mediaType === 'text/html') return referencePage(description);
  return mediaType === 'application/json' ? `${JSON.stringify(description)}\n` : yamlOf(description);
}

/**
 * Returns the text files that the operation `readInterface` serves, by name. The operation inserts the deployment's
 * URLs.
 */
const interfaceTexts = (extraAttributes: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Object.keys(interfaceFiles) as FileName[]).map((name) => [`interface/${name}`, textOf(name, extraAttributes)]),
  );

/** Returns the packages, separate source files and text files that are deployed with a function's bundle. */
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
