import { describe, expect, it } from 'vitest';
import { builtEndpoints } from '../../shared/contract/endpoints.ts';
import { workers } from '../../shared/contract/workers.ts';
import { sourceFiles } from '../support/source-files.ts';

const files = sourceFiles('functions');
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const ofEndpoints = builtEndpoints.map(({ area, operation, streams }) => ({
  path: `functions/${area}/${kebab(operation)}.ts`,
  opening: new RegExp(`\\b${streams === undefined ? 'serve' : 'serveStream'}\\(\\s*${operation},`),
}));
const ofWorkers = workers.map(({ file, worker }) => ({
  path: `functions/${file}.ts`,
  opening: new RegExp(`\\bconsume\\(${worker},`),
}));

describe('the files of functions/', () => {
  it('are the operations that are built, the workers and the authorizer, and no others', () => {
    const expected = [...ofEndpoints, ...ofWorkers].map(({ path }) => path);
    expect(files.map(({ path }) => path).toSorted()).toEqual([...expected, 'functions/access/authorize.ts'].toSorted());
  });

  it.each([...ofEndpoints, ...ofWorkers])('$path serves what it is named after', ({ path, opening }) => {
    expect(files.find((file) => file.path === path)?.code).toMatch(opening);
  });

  it.each(files)('$path gives Lambda one handler and nothing else', ({ code }) => {
    expect(code.match(/^export .*/gm)).toEqual([expect.stringMatching(/^export (const|async function) handler\b/)]);
  });

  it.each(workers)('$file is named after its worker', ({ file, worker }) => {
    expect(file.split('/').at(-1)).toBe(kebab(worker));
  });
});
