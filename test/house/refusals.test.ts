import { describe, expect, it } from 'vitest';
import { fileOf } from '../../infra/build/functions-list.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { refusalsOf } from '../../shared/contract/refusals-of.ts';
import { type RefusalName, refusals } from '../../shared/model/refusals.ts';
import { sourceFiles } from '../harness/source-files.ts';

const files = new Map(sourceFiles('shared', 'functions').map((file) => [file.path, file]));

// These read any request: what they refuse follows from what the endpoint declares of it.
const isKit = (path: string): boolean => /^shared\/lambda\/(?:read-|serve)/.test(path);

const NAMED = /(?:new Refusal\(\s*|\brefused\(|\brefusal: )'(\w+)'|\b(unknownSubscription)\(\)/g;

/** Of files that others load for what they do beside: which operations alone can make their refusals. */
const only: Readonly<Record<string, Readonly<Partial<Record<RefusalName, readonly string[]>>>>> = {
  // Others read the type of an event.
  'shared/domain/topics/check-event.ts': { invalidEvent: ['publishEvent'], malformedJson: ['publishEvent'] },
  // Another writes links alone.
  'shared/lambda/reply-with-list.ts': { answerTooLarge: ['listTopics', 'listSubscriptions'] },
  // Others read one attribute, or its name.
  'shared/domain/persons/parse-attributes.ts': {
    invalidBody: ['generateUin', 'matchPerson'],
    invalidAttribute: ['generateUin', 'matchPerson', 'findPersons'],
  },
};

/** The refusals that are made in a file and in all that it loads. */
function reached({ file, operation }: { file: string; operation: string }): Set<string> {
  const seen = new Set<string>();
  const names = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || isKit(path)) return;
    seen.add(path);
    const { code = '', imports = [] } = files.get(path) ?? {};
    const made = path === 'shared/model/refusals.ts' ? [] : [...code.matchAll(NAMED)];
    for (const [, quoted, called] of made) {
      const name = (quoted ?? called) as RefusalName;
      if (only[path]?.[name]?.includes(operation) ?? true) names.add(name);
    }
    for (const { isRelative, isTypeOnly, target } of imports) if (isRelative && !isTypeOnly) visit(target);
  };
  visit(`functions/${file}.ts`);
  return names;
}

describe('the refusals', () => {
  it.each(endpoints)('of $operation are declared, and none is that it never makes', (endpoint) => {
    const made = reached({ file: fileOf(endpoint), operation: endpoint.operation });
    const declared: readonly string[] = refusalsOf(endpoint);
    expect([...made].filter((name) => !declared.includes(name))).toEqual([]);
    expect(endpoint.refuses.filter((name) => !made.has(name))).toEqual([]);
  });

  it('of the catalogue are all somebody’s', () => {
    const declared = new Set(endpoints.flatMap(refusalsOf));
    const others = (Object.keys(refusals) as RefusalName[]).filter((name) => !declared.has(name));
    // One stands in place of a value, the other is what a web ACL answers before there is an operation.
    expect(others).toEqual(['attributeNotReturned', 'filtered']);
  });
});
