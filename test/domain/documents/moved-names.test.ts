import { describe, expect, it } from 'vitest';
import { movedNames, peopleOf } from '../../../shared/domain/documents/moved-names.ts';

const merge = { keep: 'K-1', duplicates: ['D-1', 'D-2'] };

describe("the new name of a duplicate person's document", () => {
  it('is in the corresponding folder of the kept person and contains the UIN of the former owner', () => {
    const names = ['D-1/birth/-/a.pdf', 'X-1/marriage/D-2/a.pdf', 'D-1/adoption/D-2/a.pdf', 'D-1/stray.pdf'];
    expect(movedNames(names, merge, [])).toEqual([
      'K-1/birth/-/D-1~a.pdf',
      'X-1/marriage/K-1/D-2~a.pdf',
      'K-1/adoption/K-1/D-1~D-2~a.pdf',
      'K-1/D-1~stray.pdf',
    ]);
  });

  it('is in a subfolder if the persons already have a document of this type, even if an earlier move created that document', () => {
    const names = ['D-1/birth/-/a.pdf', 'D-1/note/-/a.pdf', 'D-2/Note/-/a.pdf', 'D-1/marriage/X-1/a.pdf'];
    expect(movedNames(names, merge, ['K-1/Birth_Certificate/-/k.pdf', 'X-1/marriage/K-1/x.pdf'])).toEqual([
      'K-1/birth/-/merged/D-1~a.pdf',
      'K-1/note/-/D-1~a.pdf',
      'K-1/Note/-/merged/D-2~a.pdf',
      'K-1/marriage/X-1/merged/D-1~a.pdf',
    ]);
  });

  it('is the same when a move resumes after a crash', () => {
    const names = ['D-1/birth/-/a.pdf', 'D-1/birth/-/b.pdf'];
    const moved = movedNames(names, merge, []);
    expect(movedNames(names.slice(1), merge, moved.slice(0, 1))).toEqual(moved.slice(1));
  });

  it('is computed for each of 20,000 documents', () => {
    const many = 20_000;
    const numbered = (uin: string, word: string) =>
      Array.from({ length: many }, (_, at) => `${uin}/${word}${at}/-/a.pdf`);
    const moved = movedNames(numbered('D-1', 'paper'), merge, numbered('K-1', 'note'));
    expect(moved).toHaveLength(many);
    expect(moved.at(-1)).toBe(`K-1/paper${many - 1}/-/D-1~a.pdf`);
  });
});

it('peopleOf returns the persons that a document is about', () => {
  expect(['A-1/birth/-/a.pdf', 'A-1/marriage/B-1/below/a.pdf', 'A-1/a.pdf'].map(peopleOf)).toEqual([
    ['A-1'],
    ['A-1', 'B-1'],
    ['A-1'],
  ]);
});
