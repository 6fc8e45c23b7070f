import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { managedGroups } from '../../infra/constructs/protection/managed-groups.ts';
import { openDocuments } from '../harness/document-client.ts';
import { leavesNoFaults } from '../harness/no-internal-errors.ts';
import { textPdf } from '../harness/pdf-files.ts';
import { sourceFiles } from '../harness/source-files.ts';
import { synthesizeTemplate } from '../harness/template.ts';
import { refusing, type SeenRequest } from '../harness/web-acl.ts';
import { openWorld, uniqueName } from '../harness/world.ts';
import { watchRequests } from '../support/watch-requests.ts';
import { mailsOf } from './mails.ts';
import { startReceiver } from './receiver.ts';
import { runSentences, smoke } from './run.ts';
import { sentences } from './sentences.ts';
import { fromIssuer, keepTokens } from './tokens.ts';

const world = await openWorld();
const { Protection: protection } = (await synthesizeTemplate({ stage: 'prod' }, synthesizeWithoutCode)).beside;
leavesNoFaults(world);
const { baseUrl, tokenUrl, inboxUrl } = world.outputs;
const documents = openDocuments(world);
const uin = await documents.newPerson();
await documents.put(uin, 'birth/-/certificate.pdf', textPdf());

const receiver = await startReceiver(60_000);
afterAll(() => receiver.stop());
const access = {
  baseUrl,
  token: keepTokens(fromIssuer(tokenUrl, uniqueName('conformance'))),
  receiver,
  mailbox: () => `clerk@${uniqueName('conformance')}.example.org`,
  mails: mailsOf(inboxUrl, 60_000),
  document: { uin, doctype: 'birth' },
};

test('every sentence of the interface, and of our page for callers, holds', { timeout: 240_000 }, async () => {
  const asked: SeenRequest[] = [];
  const stopWatching = watchRequests(baseUrl, (request) => asked.push(request));
  const results = await runSentences(access, sentences).finally(stopWatching);
  const others = results.filter(({ outcome }) => outcome !== 'ok');
  // The stack of these tests sends events as they are.
  expect(others.map(({ section, outcome }) => [section, outcome])).toEqual([['our page: envelope', 'not tried']]);
  expect(results).toHaveLength(225);

  // Nor does the web ACL of a production stage take any of it for an attack.
  const acl = protection?.ofType('AWS::WAFv2::WebACL')[0]?.properties ?? {};
  const refused = asked.filter((request) => refusing(acl, request).length > 0);
  expect(asked.length).toBeGreaterThan(500);
  expect(refused).toEqual([]);
  // As AWS has its rules, they would.
  const unchanged = {
    Rules: managedGroups.map(({ name }) => ({ Statement: { ManagedRuleGroupStatement: { Name: name } } })),
  };
  expect(asked.filter((request) => refusing(unchanged, request).length > 0)).not.toEqual([]);
});

test('without a receiver, a mailbox and a document the others are tried, and these say what they need', async () => {
  const bare = { ...access, receiver: undefined, mailbox: undefined, mails: undefined, document: undefined };
  const chosen = sentences.filter(({ section }) => /^(4\.2|7|our page: (documents|mail))/.test(section));
  const results = await runSentences(bare, chosen);
  const outcomes = Map.groupBy(results, ({ outcome }) => outcome);
  expect(outcomes.get('failed')).toBeUndefined();
  expect(outcomes.get('ok')?.length).toBeGreaterThan(10);
  for (const { reason } of outcomes.get('not tried') ?? [])
    expect(reason).toMatch(/needs .*--(receiver|mailbox|inbox|document)/);
});

test('smoke begins with the journey, and ends with it where that does not hold', async () => {
  const bare = { ...access, receiver: undefined };
  const chosen = sentences.filter(({ section }) => /^(the journey|7)/.test(section));
  const [first, ...others] = await smoke(bare, chosen);
  expect(first?.section).toBe('the journey');
  expect(others).toHaveLength(chosen.length - 1);
  const broken = await smoke({ ...bare, token: async () => 'bad' }, chosen);
  expect(new Set(broken.map(({ section }) => section))).toEqual(new Set(['the journey']));
});

test('where persons must not remain none is registered, and all else is tried', async () => {
  const sparing = { ...access, isSparing: true };
  const chosen = sentences.filter(({ section }) => /^(2|3|our page: regist|our page: the regist)/.test(section));
  const results = await runSentences(sparing, chosen);
  expect(results.filter(({ outcome, persons }) => outcome === 'failed' || persons > 0)).toEqual([]);
  const reasons = new Set(results.filter(({ outcome }) => outcome === 'not tried').map(({ reason }) => reason));
  expect(reasons).toContain('registers persons, who remain: npm run conformance tries it');
  expect(results.some(({ outcome }) => outcome === 'ok')).toBe(true);
});

test('no two sentences are the same, and all know their section', () => {
  const names = sentences.map(({ section, sentence }) => `${section}: ${sentence}`);
  expect(new Set(names).size).toBe(names.length);
});

test('it knows the product by nothing but HTTP', () => {
  const suite = sourceFiles('test/conformance').filter(({ path }) => !path.endsWith('.test.ts'));
  expect(suite.length).toBeGreaterThan(15);
  const targets = suite.flatMap(({ path, imports }) => imports.map(({ target }) => `${path} imports ${target}`));
  const outside = targets.filter((line) => / imports (shared|functions|infra|test\/(?!conformance))/.test(line));
  // How options are read, where a stack runs in this folder, and how a table is printed.
  expect(outside.toSorted()).toEqual([
    'test/conformance/main.ts imports infra/local/template/outputs-file.ts',
    'test/conformance/main.ts imports infra/operate/command-line.ts',
    'test/conformance/main.ts imports test/bench/terminal.ts',
    'test/conformance/options.ts imports infra/operate/command-line.ts',
    'test/conformance/report.ts imports test/bench/terminal.ts',
  ]);
});

const main = (...args: string[]) =>
  spawnSync(process.execPath, ['test/conformance/main.ts', ...args], { encoding: 'utf8' });

test('the command line tells how it is used, and what it does not understand', () => {
  expect(main('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--token-command CMD') });
  for (const args of [['--colour'], ['ftp://a'], [baseUrl, '--only', 'no such words'], [baseUrl, '--wait', 'long']]) {
    expect(main(...args), args.join(' ')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^.+\n$/),
    });
  }
  const { status, stderr } = main(baseUrl, '--token-command', 'echo no issuer >&2; false');
  expect([status, stderr.trim()]).toEqual([2, 'the token command failed: no issuer']);
});
