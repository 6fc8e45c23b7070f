import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

interface Asset {
  readonly type: string;
  readonly read: () => Promise<string | Uint8Array>;
}

const here = import.meta.dirname;
const require = createRequire(import.meta.url);

const file = (type: string, name: string): Asset => ({ type, read: () => readFile(join(here, name)) });
const ofPackage = (type: string, name: string): Asset => ({ type, read: () => readFile(require.resolve(name)) });

function script(name: string): Asset {
  let made: Promise<string> | undefined;
  const make = async (): Promise<string> => {
    const entryPoints = [join(here, 'browser', name)];
    const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', target: 'es2022', write: false });
    return outputFiles[0]?.text ?? '';
  };
  return {
    type: 'text/javascript',
    read() {
      made ??= make();
      return made;
    },
  };
}

/** The console's files, by URL path. The page does not load files from other hosts. */
export const assets: Readonly<Record<string, Asset>> = {
  '/': file('text/html', 'page.html'),
  '/console/colours.css': file('text/css', 'colours.css'),
  '/console/page.css': file('text/css', 'page.css'),
  '/console/page.js': script('page.ts'),
  '/console/icon.svg': file('image/svg+xml', 'icon.svg'),
  '/console/runbook': file('text/plain', '../../../runbook/alarms.md'),
};

/** The files of the interactive API reference, which only the console of a local stack serves. */
export const referenceAssets: Readonly<Record<string, Asset>> = {
  '/console/reference': file('text/html', 'reference.html'),
  '/console/reference.css': file('text/css', 'reference.css'),
  '/console/reference.js': script('reference.ts'),
  '/console/swagger-ui.css': ofPackage('text/css', 'swagger-ui-dist/swagger-ui.css'),
  '/console/swagger-ui.js': ofPackage('text/javascript', 'swagger-ui-dist/swagger-ui-bundle.js'),
};

/** Pages that other sites may link to. */
export const pages: readonly string[] = ['/', '/console/reference', '/console/inbox'];
