import { describe, expect, it, vi } from 'vitest';
import { fileOf } from '../../infra/build/functions-list.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { workers } from '../../shared/contract/workers.ts';
import { sourceFiles } from '../harness/source-files.ts';

const product = sourceFiles('shared', 'functions', 'infra').map(({ path }) => path);
const tests = sourceFiles('test').map(({ path }) => path);
const functions = product.filter((path) => path.startsWith('functions/'));
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('the files of functions/', () => {
  it('consist of one file per endpoint, worker and job, and one file for the authorizer', () => {
    const expected = [authorizer.file, ...endpoints.map(fileOf), ...[...workers, ...jobs].map(({ file }) => file)];
    expect(functions.toSorted()).toEqual(expected.map((file) => `functions/${file}.ts`).toSorted());
  });

  it('are named like their workers and jobs', () => {
    const named = [...workers.map(({ file, worker }) => [file, worker]), ...jobs.map(({ file, job }) => [file, job])];
    for (const [file = '', name = ''] of named) expect(file.split('/').at(-1)).toBe(kebab(name));
  });

  it.each(functions)('export a handler: %s', async (path) => {
    // Lambda provides this global to functions that stream.
    vi.stubGlobal('awslambda', { streamifyResponse: (handler: unknown) => handler });
    expect((await import(/* @vite-ignore */ `../../${path}`)).handler).toBeTypeOf('function');
  });
});

describe('file names', () => {
  it('describe the content: no utils, helpers or services', () => {
    const vague = /(?:^|[/-])(?:utils?|helpers?|common|misc|types|services?|managers?)(?:\.test)?\.ts$/;
    expect([...product, ...tests].filter((path) => vague.test(path))).toEqual([]);
  });

  it('in test/faults begin with service or receiver, the side that fails', () => {
    const faults = tests.filter((path) => /^test\/faults\/[^/]*\.test\.ts$/.test(path));
    expect(faults.filter((path) => !/^test\/faults\/(?:service|receiver)-/.test(path))).toEqual([]);
  });
});
