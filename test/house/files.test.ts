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

describe('the files of functions/', () => {
  it('functions/ contains one file per endpoint, worker and job, and one file for the authorizer', () => {
    const expected = [authorizer.file, ...endpoints.map(fileOf), ...[...workers, ...jobs].map(({ file }) => file)];
    expect(functions.toSorted()).toEqual(expected.map((file) => `functions/${file}.ts`).toSorted());
  });

  it.each(functions)('the function file exports a handler: %s', async (path) => {
    // Lambda provides this global variable to streaming functions.
    vi.stubGlobal('awslambda', { streamifyResponse: (handler: unknown) => handler });
    expect((await import(/* @vite-ignore */ `../../${path}`)).handler).toBeTypeOf('function');
  });
});

it('file names describe the content and contain no words such as utils, helpers or services', () => {
  const vague = /(?:^|[/-])(?:utils?|helpers?|common|misc|types|services?|managers?)(?:\.test)?\.ts$/;
  expect([...product, ...tests].filter((path) => vague.test(path))).toEqual([]);
});

it('file names in test/faults begin with the side that fails: service or receiver', () => {
  const faults = tests.filter((path) => /^test\/faults\/[^/]*\.test\.ts$/.test(path));
  expect(faults.filter((path) => !/^test\/faults\/(?:service|receiver)-/.test(path))).toEqual([]);
});

it('each test file in test/faults begins with its promise', () => {
  const faults = sourceFiles('test/faults').filter(({ path }) => path.endsWith('.test.ts'));
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.filter(({ text }) => !text.startsWith('/*\n * Promise: ')).map(({ path }) => path)).toEqual([]);
});
