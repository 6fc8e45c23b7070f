import { describe, expect, it } from 'vitest';
import { faults } from '../../shared/model/faults.ts';
import { sourceFiles } from '../harness/source-files.ts';

const files = sourceFiles('shared', 'functions');

// Errors that end before a log: outcomes of a delivery, refusals of a document, the gateway's own word, and a constant.
const unlogged = [
  'functions/access/authorize.ts',
  'shared/delivery/http/address-guard.ts',
  'shared/delivery/http/connect.ts',
  'shared/delivery/http/connector.ts',
  'shared/delivery/http/exchange.ts',
  'shared/documents/pdf/pdf-engine.ts',
];

describe('faults of ours', () => {
  it('are thrown by their names, so that the log may tell what broke', () => {
    const plain = files.filter(({ code }) => /\bnew Error\(/.test(code)).map(({ path }) => path);
    expect(plain.toSorted()).toEqual(unlogged);
  });

  it.each(Object.keys(faults))('stand in the catalogue because they can happen: %s', (name) => {
    expect(files.filter(({ code }) => code.includes(`new Fault('${name}'`)).length).toBeGreaterThan(0);
  });
});
