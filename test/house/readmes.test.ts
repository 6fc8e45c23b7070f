import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillTables } from '../../infra/docs/fill-tables.ts';
import { readmeTables } from '../../infra/docs/readme-tables.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const runbook = globSync('infra/runbook/*.md', { cwd: root });
const pages = [
  ...['.github/*.md', 'infra/runbook/*.md', 'infra/compliance.md'],
  '{,functions/**/,infra/**/,shared/**/,test/**/}{README,RULES,CONNECTING}.md',
];
const readmes = globSync(pages, { cwd: root }).map((name) => ({ name, text: read(name) }));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** Returns the anchor for a heading, such as `see-it-work`. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((one) => !/^https?:/.test(one));

function hasTarget(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

/** Returns the paths in a document that start at the root of the repository, except paths marked as new. */
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/`((?:functions|infra|shared|test)\/[\w./-]+)`(?! \(new\))/g)].map(([, path = '']) => path);

describe('the READMEs', () => {
  it('the test finds all READMEs with their links and paths', () => {
    expect(readmes.length).toBeGreaterThanOrEqual(5);
    expect(readmes.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(10);
    expect(readmes.flatMap(({ text }) => pathsOf(text)).length).toBeGreaterThan(30);
    expect(hasTarget('README.md', '#nowhere')).toBe(false);
    expect(hasTarget('README.md', 'functions/nothing.md')).toBe(false);
  });

  it.each([
    ['README.md', 10],
    ['functions/README.md', 25],
    ['functions/RULES.md', 15],
    ['infra/README.md', 20],
    ['infra/compliance.md', 12],
    ...runbook.map((page): [string, number] => [page, 25]),
  ])('%s has at most %i KB', (name, kilobytes) => {
    expect(Buffer.byteLength(read(name))).toBeLessThanOrEqual(kilobytes * 1024);
  });

  it.each(runbook)('the runbook page begins with a list of its headings: %s', (page) => {
    const [start = '', ...chapters] = read(page).split('\n## ');
    const anchors = chapters.map((chapter) => anchorOf(chapter.split('\n')[0] ?? ''));
    expect(anchors.filter((anchor) => !start.includes(`](#${anchor})`))).toEqual([]);
  });

  it('README.md defines at most 15 terms', () => {
    const [, map = ''] = read('README.md').split('\n## The map\n');
    const words = [...(map.split('\n## ')[0] ?? '').matchAll(/\*\*([^*]+)\*\*/g)].map(([, word]) => word);
    expect(new Set(words).size).toBe(words.length);
    expect(words.length).toBeGreaterThan(0);
    expect(words.length).toBeLessThanOrEqual(15);
  });

  it.each(Object.entries(readmeTables))('the tables in the README are current: %s', (name, tables) => {
    expect(fillTables(read(name), tables), 'run npm run readme').toBe(read(name));
  });

  it.each(readmes)('all links in the README point to existing targets: $name', ({ name, text }) => {
    expect(linksOf(text).filter((link) => !hasTarget(name, link))).toEqual([]);
  });

  it.each(readmes)('the README names only existing files: $name', ({ text }) => {
    expect(pathsOf(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(readmes)('the README names only existing scripts: $name', ({ text }) => {
    const named = [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  it.each(readmes)('the shell commands contain no comments, so that every shell accepts them: $name', ({ text }) => {
    const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'));
    expect(shell.filter((line) => /(?:^|\s)#/.test(line))).toEqual([]);
  });
});

describe('fillTables', () => {
  const place = '<!-- table a, by npm run readme -->\nold\n<!-- end -->';

  it('fillTables changes only the text between the markers', () => {
    const filled = `before\n<!-- table a, by npm run readme -->\n\n| new |\n\n<!-- end -->\nafter`;
    expect(fillTables(`before\n${place}\nafter`, { a: '| new |' })).toBe(filled);
    expect(fillTables(filled, { a: '| new |' })).toBe(filled);
  });

  it('fillTables throws if a marker has no table or a table has no marker', () => {
    expect(() => fillTables(place, {})).toThrow('there is no table a');
    expect(() => fillTables(place, { a: '', b: '' })).toThrow('table b, by npm run readme');
  });
});
