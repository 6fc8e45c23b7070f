import { beforeAll, describe, expect, test } from 'vitest';
import type { Excerpt, ResourceExcerpt } from '../../../infra/operate/release/excerpt.ts';
import { losses } from '../../../infra/operate/release/find-losses.ts';
import { currentRelease, lastRelease } from '../../../infra/operate/release/releases.ts';
import { changes, type Release } from '../../../infra/release/changes.ts';

let current: Release;
let now: Excerpt;
beforeAll(async () => {
  current = await currentRelease();
  now = current.stacks;
});

const stack = 'IdentityRegistry-prod';
const idOf = (type: string, construct: string): string =>
  Object.entries(now[stack] ?? {}).find(([id, one]) => one.type === type && id.includes(construct))?.[0] ?? '';

/** The excerpt with one resource changed, or taken out. */
function altered(id: string, change: (resource: ResourceExcerpt) => ResourceExcerpt | undefined): Excerpt {
  const { [id]: old, ...others } = now[stack] ?? {};
  const changed = old && change(old);
  return { ...now, [stack]: changed ? { ...others, [id]: changed } : others };
}

test('what was released can be updated to what is here: or else deploy it in steps, and npm run release', () => {
  expect(changes(lastRelease(), current)).toEqual({ lost: [], lostByRollback: [] });
});

describe('one line names', () => {
  const persons = () => idOf('AWS::DynamoDB::Table', 'persons');
  const indexes = ({ indexes = {} }: ResourceExcerpt) => indexes as Readonly<Record<string, object>>;

  test('a table that the stack would forget', () => {
    expect(
      losses(
        now,
        altered(persons(), () => undefined),
      ),
    ).toEqual([
      `${stack} DynamoDB Table ${persons()}: is no longer in the stack: it stays in the account, and nobody uses it`,
    ]);
  });

  test('a queue that would go with its messages, and an API with its address', () => {
    const queue = idOf('AWS::SQS::Queue', 'retry');
    expect(
      losses(
        now,
        altered(queue, () => undefined),
      ),
    ).toEqual([`${stack} SQS Queue ${queue}: is no longer in the stack: it goes with what it holds`]);
    expect(
      losses(
        now,
        altered(idOf('AWS::ApiGateway::RestApi', 'rest'), () => undefined),
      ),
    ).toHaveLength(1);
  });

  test('a table with other keys, and a secret that would be drawn anew', () => {
    const KeySchema = [{ AttributeName: 'other', KeyType: 'HASH' }];
    const rekeyed = altered(persons(), (one) => ({ ...one, properties: { ...one.properties, KeySchema } }));
    expect(losses(now, rekeyed)).toEqual([
      `${stack} DynamoDB Table ${persons()}: another KeySchema makes a new one in its place, without what it holds`,
    ]);
    const secret = idOf('AWS::SecretsManager::Secret', 'naming');
    const redrawn = altered(secret, (one) => ({
      ...one,
      properties: { GenerateSecretString: { PasswordLength: 32 } },
    }));
    expect(losses(now, redrawn)).toEqual([expect.stringContaining(`${secret}: another GenerateSecretString makes`)]);
  });

  test('what was kept and would go with the stack', () => {
    const bucket = idOf('AWS::S3::Bucket', 'documents');
    expect(
      losses(
        now,
        altered(bucket, (one) => ({ ...one, isRetained: false })),
      ),
    ).toEqual([`${stack} S3 Bucket ${bucket}: would go with the stack: it was kept before`]);
  });

  test('two indexes of a table in one update; one is well', () => {
    const { byName, ...others } = { byName: undefined, ...indexes(now[stack]?.[persons()] as ResourceExcerpt) };
    expect(byName).toBeTruthy();
    const without = altered(persons(), (one) => ({ ...one, indexes: others }));
    expect(losses(now, without)).toEqual([]);
    expect(losses(without, now)).toEqual([]);
    const exchanged = altered(persons(), (one) => ({ ...one, indexes: { ...others, byMiddleName: byName } }));
    expect(losses(now, exchanged)).toEqual([
      expect.stringMatching(/: adds byMiddleName, removes byName: one index of a table in a deployment/),
    ]);
  });

  test('an index with another projection', () => {
    const changed = { ...indexes(now[stack]?.[persons()] as ResourceExcerpt), byName: { Projection: 'ALL' } };
    expect(
      losses(
        now,
        altered(persons(), (one) => ({ ...one, indexes: changed })),
      ),
    ).toEqual([expect.stringMatching(/: index byName changes its keys or projection, which no update can/)]);
  });

  test('a name that passes to another resource', () => {
    const set = idOf('AWS::SES::ConfigurationSet', 'set');
    const resources = altered(set, () => undefined)[stack];
    const renamed = { ...now, [stack]: { ...resources, other: now[stack]?.[set] as ResourceExcerpt } };
    expect(losses(now, renamed)).toContain(
      `${stack} other: has the name identity-registry-prod of ${set}, which is still taken then`,
    );
  });
});

describe('rows and payloads', () => {
  const row = 'taskRow of the table deliveries';

  test('are told of by the templates, all that storage and workers read', () => {
    expect(Object.keys(current.forms)).toEqual(expect.arrayContaining([row, 'the payload of fanOut']));
  });

  test('of a form that the release before cannot read are named, though the update itself loses nothing', () => {
    const properties = {
      ...(current.forms[row]?.properties as object),
      state: { type: 'string', enum: ['claimed', 'recorded', 'put off'] },
    };
    const after = { ...current, forms: { ...current.forms, [row]: { ...current.forms[row], properties } } };
    const line = `what is written from then on the release before does not read: ${row}: state may be put off`;
    expect(changes(current, after)).toEqual({ lost: [], lostByRollback: [line] });
    expect(changes(after, current)).toEqual({
      lost: [`what is there is no longer read: ${row}: state may be put off`],
      lostByRollback: [],
    });
  });

  test('of a deployment from before they were told are no reason to stop', () => {
    expect(changes({ ...current, forms: {} }, current)).toEqual({ lost: [], lostByRollback: [] });
  });
});
