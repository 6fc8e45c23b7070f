import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Import, type SourceFile, sourceFiles } from '../harness/source-files.ts';

const files = sourceFiles('shared', 'functions', 'infra');

interface Layer {
  /** The other folders or files from which files in this layer can import values. */
  readonly from: readonly string[];
  /** The folders from which files in this layer can import only types. */
  readonly typesFrom?: readonly string[];
  /** If true, files in this layer must not import each other. */
  readonly isApart?: true;
}

// The time limit of the current invocation. The handler kit sets the limit, and code that waits reads the limit.
const timeLeft = 'shared/lambda/time-left.ts';

// The allowed imports, which cannot form a cycle. The first matching entry applies to a file.
const layers: Readonly<Record<string, Layer>> = {
  'shared/domain/': { from: [] },
  'shared/contract/': { from: ['shared/domain/'] },
  'shared/presentation/': { from: ['shared/domain/'] },
  [timeLeft]: { from: [] },
  // AWS clients are configured differently if the environment defines endpoints for them.
  'shared/storage/client-config.ts': { from: ['shared/lambda/environment.ts', 'shared/storage/sha256.ts'] },
  'shared/storage/': { from: ['shared/domain/', 'shared/contract/', 'shared/storage/client-config.ts', timeLeft] },
  'shared/documents/': { from: ['shared/domain/', 'shared/contract/'] },
  'shared/access/': { from: ['shared/domain/', 'shared/contract/'] },
  'shared/lambda/': { from: ['shared/domain/', 'shared/contract/', 'shared/presentation/', timeLeft] },
  'shared/delivery/': {
    from: ['shared/domain/', 'shared/contract/', 'shared/presentation/', timeLeft],
    // The code in this folder opens no store, because its callers provide the store methods.
    typesFrom: ['shared/storage/'],
  },
  'shared/registry/': {
    from: ['shared/domain/', 'shared/contract/', 'shared/delivery/', 'shared/lambda/cache-for.ts', timeLeft],
    typesFrom: ['shared/storage/'],
  },
  // Receivers use this folder without the rest of the product.
  'shared/receiver/': { from: [] },
  'functions/': { from: ['shared/'], isApart: true },
  'infra/local/': { from: ['infra/', 'shared/domain/', 'shared/contract/', 'shared/receiver/'] },
  // The templates contain the row schemas, so that releases can be compared.
  'infra/build/stored-schemas/': { from: ['shared/contract/', 'shared/storage/schemas-by-table.ts'] },
  // The examples in functions/README.md are composed and signed like deliveries.
  'infra/docs/first-hour.ts': { from: ['shared/domain/', 'shared/contract/', 'shared/delivery/'] },
  // The reference page is similar to the pages of the functions, but is generated when the functions are bundled.
  'infra/': {
    from: [
      'infra/build/stored-schemas/',
      'infra/docs/first-hour.ts',
      'shared/domain/',
      'shared/contract/',
      'shared/presentation/pages/',
    ],
  },
};

const layerOf = (path: string): string | undefined => Object.keys(layers).find((folder) => path.startsWith(folder));

function isAllowed(path: string, { target, isTypeOnly }: Import): boolean {
  const home = layerOf(path);
  if (home === undefined) return false;
  const { from, typesFrom = [], isApart } = layers[home] as Layer;
  if (layerOf(target) === home) return !isApart;
  return [...from, ...(isTypeOnly ? typesFrom : [])].some((place) => target.startsWith(place));
}

/** Returns the files that form an import cycle, in order, or an empty list. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (finished.has(path)) return [];
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

const targetsIn = ({ imports }: SourceFile) => imports.flatMap((one) => (one.isRelative ? [one.target] : []));
const imported = new Map(files.map((file) => [file.path, targetsIn(file)]));

/** Returns a file and all files that it imports, directly or indirectly. */
function reached(path: string): string[] {
  const found = new Set([path]);
  // The loop also visits the files that it adds to the set.
  for (const one of found) for (const next of imported.get(one) ?? []) found.add(next);
  return [...found];
}

/** Returns the product files that import a package or one of its files. */
const importersOf = (name: string): string[] =>
  files
    .filter(({ imports }) => imports.some(({ target }) => target === name || target.startsWith(`${name}/`)))
    .map(({ path }) => path);

const outside = (paths: readonly string[], ...places: readonly string[]) =>
  paths.filter((path) => !places.some((place) => path.startsWith(place)));

describe('imports', () => {
  it('the test finds all imports, and the imported files exist', () => {
    expect(files.length).toBeGreaterThan(80);
    const edges = [...imported.values()].flat();
    expect(edges.length).toBeGreaterThan(150);
    expect(edges.filter((target) => !existsSync(target))).toEqual([]);
    // The scanner finds every form of import.
    const words = files.flatMap(
      ({ code }) => code.match(/\sfrom '\.[^']*'|^import '\.[^']*'|import\('\.[^']*'/gm) ?? [],
    );
    expect(edges).toHaveLength(words.length);
  });

  it('imports follow the layers of the architecture', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports.filter((one) => one.isRelative && !isAllowed(path, one)).map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['shared/domain/a.ts', 'shared/contract/b.ts', false],
    ['shared/domain/a.ts', 'shared/storage/b.ts', true],
    ['shared/storage/a.ts', 'shared/delivery/b.ts', true],
    ['shared/delivery/a.ts', 'shared/storage/topics/store.ts', false],
    ['functions/topics/a.ts', 'functions/topics/b.ts', false],
    ['infra/app.ts', 'infra/local/start.ts', false],
    ['infra/app.ts', 'shared/storage/topics/store.ts', false],
    ['shared/domain/a.ts', 'test/harness/b.ts', true],
  ])('the test fails if %s imports %s', (path, target, isTypeOnly) => {
    expect(isAllowed(path, { target, isRelative: true, isTypeOnly })).toBe(false);
  });

  it('form no cycle', () => {
    expect(findCycle(imported)).toEqual([]);
  });

  it('import cycles are found', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(findCycle(graph)).toEqual(['b', 'd', 'b']);
  });

  it('no function imports the OpenAPI description, because the bundler writes the description files', () => {
    const loading = files
      .map(({ path }) => path)
      .filter((path) => path.startsWith('functions/') || path.startsWith('shared/contract/endpoints/'))
      .filter((path) => reached(path).some((one) => one.startsWith('shared/contract/openapi')));
    expect(imported.has('shared/contract/openapi/operation.ts')).toBe(true);
    expect(loading).toEqual([]);
  });

  it('only the unsuppress job imports the client of the suppression list', () => {
    const [client, ...others] = importersOf('@aws-sdk/client-sesv2');
    expect([client, outside(others, 'infra/operate/')]).toEqual(['shared/storage/mail/suppressions.ts', []]);
    const functions = [...imported.keys()].filter((path) => path.startsWith('functions/'));
    const loading = functions.filter((path) => reached(path).includes(client ?? ''));
    expect(loading).toEqual(['functions/subscriptions/unsuppress.ts']);
  });

  it('only shared/storage, the import tool, the console and the operators’ commands import AWS clients', () => {
    const clients = ['dynamodb', 's3', 'sqs', 'ses', 'sesv2', 'secrets-manager'].map((name) => `client-${name}`);
    const storage = [...clients, 'util-dynamodb'].flatMap((client) => importersOf(`@aws-sdk/${client}`));
    expect(storage).toContain('shared/storage/dynamo.ts');
    // These tools run on an operator's machine and call AWS directly.
    const tools = ['infra/local/import', 'infra/local/console/page/', 'infra/operate/'];
    expect(outside(storage, 'shared/storage/', ...tools)).toEqual([]);
  });

  it.each([
    ['@middy/core', ['shared/lambda/']],
    ['undici', ['shared/delivery/']],
    ['nodemailer', ['shared/delivery/']],
    ['aws-jwt-verify', ['shared/access/', 'functions/access/']],
    ['aws-cdk-lib', ['infra/']],
    ['constructs', ['infra/']],
    ['fauxqs', ['infra/local/']],
    ['zod', ['shared/', 'infra/settings/']],
    ['sharp', ['shared/documents/image-codec.ts', 'infra/local/demo/shots.ts']],
    ['@hyzyla/pdfium', ['shared/documents/pdf/pdf-engine.ts']],
  ])('imports of %s are only in %s', (name, places) => {
    expect(outside(importersOf(name), ...places)).toEqual([]);
  });

  it('the pure layers import no clock, random source or network', () => {
    // `isIP` and `BlockList` do not use the network, although they are part of a network module.
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bfetch\(|\bsetTimeout\(|(?<!import \{ (?:BlockList, )?isIP \} )from 'node:(?!crypto'|buffer'|url')|import \{[^}]*\brandom\w*[^}]*\} from 'node:crypto'/;
    const pure = files.filter(({ path }) => /^shared\/(model|domain|contract)\//.test(path));
    expect(pure.filter(({ code }) => impure.test(code)).map(({ path }) => path)).toEqual([]);
    expect('const at = Date.now();').toMatch(impure);
    expect("import { readFileSync } from 'node:fs';").toMatch(impure);
    expect("import { lookup } from 'node:dns';").toMatch(impure);
    expect("import { domainToASCII } from 'node:url';").not.toMatch(impure);
    expect("import { createHash, randomBytes } from 'node:crypto';").toMatch(impure);
  });
});
