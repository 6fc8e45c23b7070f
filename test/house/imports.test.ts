import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Import, type SourceFile, sourceFiles } from '../harness/source-files.ts';

const files = sourceFiles('shared', 'functions', 'infra');

interface Layer {
  /** Folders or files whose values it may import, beside its own. */
  readonly from: readonly string[];
  /** Those of which it may import types only. */
  readonly typesFrom?: readonly string[];
  /** True where a file may not import another of the same folder. */
  readonly isApart?: true;
}

// Who may import whom, which only ever goes down; the first folder that a file lies in counts.
const layers: Readonly<Record<string, Layer>> = {
  'shared/domain/': { from: [] },
  'shared/contract/': { from: ['shared/domain/'] },
  'shared/presentation/': { from: ['shared/domain/'] },
  // How long the current invocation may take: the handler kit sets it, and everything that waits reads it.
  'shared/lambda/time-left.ts': { from: [] },
  // The configuration of AWS clients depends on whether the environment has endpoints for them.
  'shared/storage/client-config.ts': { from: ['shared/lambda/environment.ts'] },
  'shared/storage/': {
    from: ['shared/domain/', 'shared/contract/', 'shared/storage/client-config.ts', 'shared/lambda/time-left.ts'],
  },
  'shared/documents/': { from: ['shared/domain/', 'shared/contract/'] },
  'shared/access/': { from: ['shared/domain/', 'shared/contract/'] },
  'shared/lambda/': {
    from: ['shared/domain/', 'shared/contract/', 'shared/presentation/', 'shared/lambda/time-left.ts'],
  },
  'shared/delivery/': {
    from: ['shared/domain/', 'shared/contract/', 'shared/presentation/', 'shared/lambda/time-left.ts'],
    // Callers pass in the store methods; this room opens no store.
    typesFrom: ['shared/storage/'],
  },
  'shared/registry/': {
    from: [
      'shared/domain/',
      'shared/contract/',
      'shared/delivery/',
      'shared/lambda/cache-for.ts',
      'shared/lambda/time-left.ts',
    ],
    typesFrom: ['shared/storage/'],
  },
  'functions/': { from: ['shared/'], isApart: true },
  'infra/local/': { from: ['infra/', 'shared/domain/', 'shared/contract/'] },
  // The templates contain the schemas of the rows, so that a release can compare them.
  'infra/build/stored-schemas/': { from: ['shared/contract/', 'shared/storage/schemas-by-table.ts'] },
  'infra/': { from: ['infra/build/stored-schemas/', 'shared/domain/', 'shared/contract/'] },
};

const layerOf = (path: string): string | undefined => Object.keys(layers).find((folder) => path.startsWith(folder));

function isAllowed(path: string, { target, isTypeOnly }: Import): boolean {
  const home = layerOf(path);
  if (home === undefined) return false;
  const { from, typesFrom = [], isApart } = layers[home] as Layer;
  if (layerOf(target) === home) return !isApart;
  return [...from, ...(isTypeOnly ? typesFrom : [])].some((place) => target.startsWith(place));
}

/** The files that lead back to where they began, in order, or nothing. */
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

const graphOf = (sources: readonly SourceFile[]) =>
  new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ isRelative }) => isRelative).map(({ target }) => target),
    ]),
  );

/** Who imports a package, or anything below it, from files that make up the product. */
const importersOf = (name: string): string[] =>
  files
    .filter(({ imports }) => imports.some(({ target }) => target === name || target.startsWith(`${name}/`)))
    .map(({ path }) => path);

const outside = (paths: readonly string[], ...places: readonly string[]) =>
  paths.filter((path) => !places.some((place) => path.startsWith(place)));

describe('imports', () => {
  it('are seen by this test: it finds the files and where they lead', () => {
    expect(files.length).toBeGreaterThan(80);
    const edges = [...graphOf(files).values()].flat();
    expect(edges.length).toBeGreaterThan(150);
    expect(edges.filter((target) => !existsSync(target))).toEqual([]);
    // Nothing is imported in a way that the scanner does not know.
    const words = files.flatMap(
      ({ code }) => code.match(/\sfrom '\.[^']*'|^import '\.[^']*'|import\('\.[^']*'/gm) ?? [],
    );
    expect(edges).toHaveLength(words.length);
  });

  it('go only the way that the architecture gives them', () => {
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
    ['shared/delivery/a.ts', 'shared/storage/deliveries/due-rows.ts', false],
    ['shared/lambda/a.ts', 'shared/storage/topics/store.ts', false],
    ['functions/topics/a.ts', 'functions/topics/b.ts', false],
    ['functions/topics/a.ts', 'infra/settings/settings.ts', false],
    ['infra/app.ts', 'functions/topics/a.ts', false],
    ['infra/app.ts', 'infra/local/start.ts', false],
    ['infra/app.ts', 'shared/storage/topics/store.ts', false],
    ['shared/domain/a.ts', 'test/harness/b.ts', true],
  ])('would be found out: %s importing %s', (path, target, isTypeOnly) => {
    expect(isAllowed(path, { target, isRelative: true, isTypeOnly })).toBe(false);
  });

  it('make no cycle', () => {
    expect(findCycle(graphOf(files))).toEqual([]);
  });

  it('would be found out if they made one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(findCycle(graph)).toEqual(['b', 'd', 'b']);
  });

  it('lead from no function to what is said of the interface: it is written when they are bundled', () => {
    const graph = graphOf(files);
    const reached = (path: string): string[] => [path, ...(graph.get(path) ?? []).flatMap(reached)];
    const loading = files
      .map(({ path }) => path)
      .filter((path) => path.startsWith('functions/') || path.startsWith('shared/contract/endpoints/'))
      .filter((path) => reached(path).some((one) => one.startsWith('shared/contract/openapi')));
    expect(graph.has('shared/contract/openapi/operation.ts')).toBe(true);
    expect(loading).toEqual([]);
  });

  it('lead to the client of the suppression list from no function but the job that has it', () => {
    const graph = graphOf(files);
    const reached = (path: string): string[] => [path, ...(graph.get(path) ?? []).flatMap(reached)];
    const [client, ...others] = importersOf('@aws-sdk/client-sesv2');
    expect([client, others]).toEqual(['shared/storage/mail/suppressions.ts', []]);
    const loading = [...graph.keys()].filter(
      (path) => path.startsWith('functions/') && reached(path).includes(client ?? ''),
    );
    expect(loading).toEqual(['functions/subscriptions/unsuppress.ts']);
  });

  it('of AWS clients stand only where the architecture puts them', () => {
    const clients = ['dynamodb', 's3', 'sqs', 'ses', 'sesv2', 'secrets-manager'].map((name) => `client-${name}`);
    const storage = [...clients, 'util-dynamodb'].flatMap((client) => importersOf(`@aws-sdk/${client}`));
    expect(storage).toContain('shared/storage/dynamo.ts');
    // What a person runs at a terminal speaks to AWS by itself.
    expect(outside(storage, 'shared/storage/', 'infra/local/import')).toEqual([]);
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
    ['sharp', ['shared/documents/image-codec.ts']],
    ['@hyzyla/pdfium', ['shared/documents/pdf/pdf-engine.ts']],
  ])('of %s stand only in %s', (name, places) => {
    expect(outside(importersOf(name), ...places)).toEqual([]);
  });

  it('of the pure layers name no clock, no chance and no network', () => {
    // `isIP` and `BlockList` only compute, wherever node keeps them.
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
