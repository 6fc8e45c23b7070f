import { describe, expect, it } from 'vitest';
import { answers, type Endpoint } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { workers } from '../../shared/contract/workers.ts';
import { sourceFiles } from '../harness/source-files.ts';

const files = sourceFiles('functions');
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const serving = (endpoint: Endpoint): string => {
  if (answers(endpoint, 'page')) return 'servePage';
  return answers(endpoint, 'bytes') ? 'serveStream' : 'serve';
};
const ofEndpoints = endpoints.map((endpoint) => ({
  path: `functions/${endpoint.area}/${kebab(endpoint.operation)}.ts`,
  opening: new RegExp(`\\b${serving(endpoint)}\\(\\s*${endpoint.operation},`),
}));
const ofWorkers = workers.map(({ file, worker }) => ({
  path: `functions/${file}.ts`,
  opening: new RegExp(`consume\\(\\s*${worker},`),
}));
const ofJobs = jobs.map(({ file, job }) => ({
  path: `functions/${file}.ts`,
  opening: new RegExp(`perform\\(\\s*${job},`),
}));
const all = [...ofEndpoints, ...ofWorkers, ...ofJobs];
const unrouted = [
  ...workers.map(({ file, worker }) => ({ file, name: worker })),
  ...jobs.map(({ file, job }) => ({ file, name: job })),
];

describe('the files of functions/', () => {
  it('are the operations that are built, the workers, the jobs and the authorizer, and no others', () => {
    const expected = all.map(({ path }) => path);
    expect(files.map(({ path }) => path).toSorted()).toEqual([...expected, 'functions/access/authorize.ts'].toSorted());
  });

  it.each(all)('$path serves what it is named after', ({ path, opening }) => {
    expect(files.find((file) => file.path === path)?.code).toMatch(opening);
  });

  it.each(files)('$path gives Lambda one handler and nothing else', ({ code }) => {
    expect(code.match(/^export .*/gm)).toEqual([expect.stringMatching(/^export (const|async function) handler\b/)]);
  });

  it.each(unrouted)('$file is named after its worker or job', ({ file, name }) => {
    expect(file.split('/').at(-1)).toBe(kebab(name));
  });
});
