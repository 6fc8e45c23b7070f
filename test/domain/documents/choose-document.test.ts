import { describe, expect, it } from 'vitest';
import { chooseDocument, type PersonsFile } from '../../../shared/domain/documents/choose-document.ts';
import { clientErrorOf } from '../../harness/client-error.ts';

/**
 * Returns a file about the given persons. `stored` contains any former UINs under which the file is stored.
 */
const file = (
  uin: string,
  doctype: string,
  secondaryUin?: string,
  modifiedAt = 0,
  stored: { uin?: string; secondaryUin?: string } = {},
): PersonsFile => {
  const place = { uin, doctype, secondaryUin, ...stored };
  const key = `documents/${place.uin}/${doctype}/${place.secondaryUin ?? '-'}/${modifiedAt}`;
  return { uin, doctype, secondaryUin, file: { ...place, key, etag: '"e"', bytes: 1, modifiedAt } };
};

const keys = (files: readonly PersonsFile[]): string[] => files.map(({ file: { key } }) => key);

describe('chooseDocument', () => {
  it.each([
    ['marriage', 'Marriage'],
    ['marriage certificate', 'marriage'],
    ['marriage', 'marriage-certificate'],
    ['  MARRIAGE   CERTIFICATE', 'marriage_certificate'],
    ['décès', 'DECES'],
  ])('chooseDocument treats the document types %j and %j as equal', (doctype, stored) => {
    expect(chooseDocument([file('1', stored)], { uin: '1', doctype })).toHaveLength(1);
  });

  it('chooseDocument returns all files with the same persons and document type, with the newest file first', () => {
    const files = [
      file('1', 'birth', undefined, 1),
      file('1', 'birth', undefined, 3),
      file('1', 'birth', undefined, 2),
    ];
    const chosen = chooseDocument(files, { uin: '1', doctype: 'birth' });
    expect(chosen.map((one) => one.file.modifiedAt)).toEqual([3, 2, 1]);
  });

  it('chooseDocument finds a document about two persons by either UIN if `secondaryUin` is the other UIN', () => {
    const files = [file('1', 'marriage', '2'), file('1', 'marriage', '3'), file('2', 'marriage', '9')];
    for (const [uin, secondaryUin] of [
      ['1', '2'],
      ['2', '1'],
    ] as const) {
      expect(keys(chooseDocument(files, { uin, doctype: 'marriage', secondaryUin }))).toEqual([
        'documents/1/marriage/2/0',
      ]);
    }
  });

  it('chooseDocument requires `secondaryUin` if several documents match, but does not reveal whom they are about', async () => {
    const files = [file('1', 'marriage', '2222'), file('1', 'Marriage certificate', '3333'), file('1', 'birth')];
    const refusal = await clientErrorOf(() => chooseDocument(files, { uin: '1', doctype: 'marriage' }));
    expect(refusal.errorName).toBe('ambiguousDocument');
    expect(refusal.message).toMatch(/several documents.*use secondaryUin to select one$/);
    expect(refusal.message).not.toMatch(/2222|3333/);
  });

  it('chooseDocument finds a document about two persons by either UIN without `secondaryUin`', () => {
    const files = [file('1', 'marriage', '2')];
    for (const uin of ['1', '2']) {
      expect(keys(chooseDocument(files, { uin, doctype: 'marriage' }))).toEqual(['documents/1/marriage/2/0']);
    }
  });

  it('chooseDocument combines two files about the same two persons, regardless of which person they are stored under', () => {
    const files = [file('1', 'marriage', '2', 1), file('2', 'marriage', '1', 2)];
    for (const uin of ['1', '2']) {
      expect(chooseDocument(files, { uin, doctype: 'marriage' }).map((one) => one.file.modifiedAt)).toEqual([2, 1]);
    }
  });

  it('if several documents match, chooseDocument explains how to select the document about this person alone', async () => {
    const files = [file('1', 'birth'), file('2', 'birth', '1'), file('3', 'birth')];
    const refusal = await clientErrorOf(() => chooseDocument(files, { uin: '1', doctype: 'birth' }));
    expect(refusal.errorName).toBe('ambiguousDocument');
    expect(refusal.message).toMatch(/use secondaryUin to select one \(-: the document about this person alone\)$/);
    const chosen = (secondaryUin: string) => keys(chooseDocument(files, { uin: '1', doctype: 'birth', secondaryUin }));
    expect(chosen('-')).toEqual(['documents/1/birth/-/0']);
    expect(chosen('2')).toEqual(['documents/2/birth/1/0']);
  });

  it.each([
    [{ uin: '1', doctype: 'death' }],
    [{ uin: '1', doctype: 'birth', secondaryUin: '2' }],
    [{ uin: '2', doctype: 'birth' }],
    [{ uin: '1', doctype: 'certificate' }],
  ])('chooseDocument does not find a document for the request %j', async (wanted) => {
    expect((await clientErrorOf(() => chooseDocument([file('1', 'birth')], wanted))).errorName).toBe('unknownDocument');
  });

  it('chooseDocument prefers files stored under current UINs, and never mixes files stored under different UINs', () => {
    const own = [file('1', 'birth', undefined, 1), file('1', 'birth', undefined, 2)];
    const former = ['8', '9'].map((uin, at) => file('1', 'birth', undefined, at + 3, { uin }));
    expect(keys(chooseDocument([...former, ...own], { uin: '1', doctype: 'birth' }))).toEqual([
      'documents/1/birth/-/2',
      'documents/1/birth/-/1',
    ]);
    expect(keys(chooseDocument(former, { uin: '1', doctype: 'birth' }))).toEqual(['documents/9/birth/-/4']);
  });

  it('chooseDocument compares persons instead of UINs', () => {
    const files = [file('1', 'marriage', '2', 1, { uin: '8' }), file('2', 'marriage', '1', 2, { secondaryUin: '9' })];
    for (const [uin, secondaryUin] of [
      ['1', '2'],
      ['2', '1'],
    ] as const) {
      for (const second of [secondaryUin, undefined]) {
        expect(keys(chooseDocument(files, { uin, doctype: 'marriage', secondaryUin: second }))).toEqual([
          'documents/2/marriage/9/2',
        ]);
      }
    }
  });
});
