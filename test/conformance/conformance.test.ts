import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { managedGroups } from '../../infra/constructs/protection/managed-groups.ts';
import { openDocuments } from '../harness/document-client.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { textPdf } from '../harness/pdf-files.ts';
import { startValidatingProxy } from '../harness/served-documents.ts';
import { sourceFiles } from '../harness/source-files.ts';
import { synthesizeTemplate } from '../harness/template.ts';
import { blockingRules, type SeenRequest, watchRequests } from '../harness/web-acl.ts';
import { uniqueName } from '../harness/world.ts';
import { mailsOf } from './mails.ts';
import { startReceiver } from './receiver.ts';
import { requirements } from './requirements.ts';
import { checkRequirements, runSmokeTest } from './run.ts';
import { cacheTokens, fromIssuer } from './tokens.ts';

const world = await useWorld();
const { Protection: protection } = (await synthesizeTemplate({ stage: 'prod' })).beside;
const { baseUrl, tokenUrl, inboxUrl } = world.outputs;
const documents = openDocuments(world);
const [uin, secondaryUin] = [await documents.newPerson(), await documents.newPerson()];
await documents.put(uin, `marriage/${secondaryUin}/certificate.pdf`, textPdf());

const receiver = await startReceiver(60_000);
afterAll(() => receiver.stop());
const access = {
  baseUrl,
  token: cacheTokens(fromIssuer(tokenUrl, uniqueName('conformance'))),
  receiver,
  mailbox: () => `clerk@${uniqueName('conformance')}.example.org`,
  mails: mailsOf(inboxUrl, 60_000),
  document: { uin, doctype: 'marriage', secondaryUin },
};

test('the stack meets every requirement, and its responses match its OpenAPI files', async () => {
  const seen: SeenRequest[] = [];
  const proxy = await startValidatingProxy(baseUrl);
  const stopWatching = watchRequests(baseUrl, (request) => seen.push(request));
  const results = await checkRequirements({ ...access, baseUrl: proxy.url }, requirements).finally(stopWatching);
  proxy.stop();
  expect(proxy.deviations).toEqual([]);
  expect(proxy.exchanges()).toBeGreaterThan(500);
  expect(results.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  expect(results).toHaveLength(236);

  // The web ACL of a production stage would not block any request of this run.
  const acl = protection?.ofType('AWS::WAFv2::WebACL')[0]?.properties ?? {};
  const refused = seen.filter((request) => blockingRules(acl, request).length > 0);
  expect(seen.length).toBeGreaterThan(500);
  expect(refused).toEqual([]);
  // Without our changes, the AWS rules would block some of the requests.
  const unchanged = {
    Rules: managedGroups.map(({ name }) => ({ Statement: { ManagedRuleGroupStatement: { Name: name } } })),
  };
  expect(seen.filter((request) => blockingRules(unchanged, request).length > 0)).not.toEqual([]);
});

test('a run without a receiver, a mailbox and a document skips some requirements and reports the missing options', async () => {
  const bare = { ...access, receiver: undefined, mailbox: undefined, mails: undefined, document: undefined };
  const chosen = requirements.filter(({ section }) => /^(4\.2|7|client guide: (documents|mail))/.test(section));
  const results = await checkRequirements(bare, chosen);
  const outcomes = Map.groupBy(results, ({ outcome }) => outcome);
  expect(outcomes.get('failed')).toBeUndefined();
  expect(outcomes.get('ok')?.length).toBeGreaterThan(10);
  for (const { reason } of outcomes.get('skipped') ?? [])
    expect(reason).toMatch(/needs .*--(receiver|mailbox|inbox|document)/);
});

test('a smoke test starts with the client journey and stops if the journey fails', async () => {
  const proxy = await startValidatingProxy(baseUrl, true);
  const chosen = requirements.filter(({ section }) => /^(client journey|7)/.test(section));
  const [first, ...others] = await runSmokeTest({ ...access, baseUrl: proxy.url }, chosen);
  proxy.stop();
  expect(proxy.deviations).toEqual([]);
  expect(first).toMatchObject({ section: 'client journey', outcome: 'ok' });
  expect(others).toHaveLength(chosen.length - 1);
  const bare = { ...access, receiver: undefined };
  const broken = await runSmokeTest({ ...bare, token: async () => 'bad' }, chosen);
  expect(new Set(broken.map(({ section }) => section))).toEqual(new Set(['client journey']));
});

test('a run that registers no persons checks all other requirements', async () => {
  const withoutRegistration = { ...access, skipsRegistration: true };
  const chosen = requirements.filter(({ section }) =>
    /^(2|3|client guide: regist|client guide: the regist)/.test(section),
  );
  const results = await checkRequirements(withoutRegistration, chosen);
  expect(results.filter(({ outcome, persons }) => outcome === 'failed' || persons > 0)).toEqual([]);
  const reasons = new Set(results.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason));
  expect(reasons).toContain('this check registers persons, who cannot be removed; npm run conformance includes it');
  expect(results.some(({ outcome }) => outcome === 'ok')).toBe(true);
});

test('every requirement has a unique name within its section', () => {
  const names = requirements.map(({ section, requirement }) => `${section}: ${requirement}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the conformance suite accesses the product only over HTTP', () => {
  const suite = sourceFiles('test/conformance').filter(({ path }) => !path.endsWith('.test.ts'));
  expect(suite.length).toBeGreaterThan(15);
  const targets = suite.flatMap(({ path, imports }) => imports.map(({ target }) => `${path} imports ${target}`));
  const outside = targets.filter((line) => / imports (shared|functions|infra|test\/(?!conformance))/.test(line));
  // The suite may only import code that verifies signatures, reads options or tokens, finds the local stack or prints
  // tables.
  expect(outside.toSorted()).toEqual([
    'test/conformance/main.ts imports infra/local/aws/template/outputs.ts',
    'test/conformance/main.ts imports infra/operate/command-line.ts',
    'test/conformance/main.ts imports infra/operate/token-command.ts',
    'test/conformance/main.ts imports test/bench/terminal.ts',
    'test/conformance/options.ts imports infra/operate/command-line.ts',
    'test/conformance/requirements/journey.ts imports shared/receiver/verify.ts',
    'test/conformance/requirements/signatures.ts imports shared/receiver/verify.ts',
    'test/conformance/tokens.ts imports infra/operate/token-command.ts',
  ]);
});

const main = (...args: string[]) =>
  spawnSync(process.execPath, ['test/conformance/main.ts', ...args], { encoding: 'utf8' });

test('the command line describes its options and rejects invalid options', () => {
  expect(main('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--token-command CMD') });
  for (const args of [['--colour'], ['ftp://a'], [baseUrl, '--only', 'no such words'], [baseUrl, '--wait', 'long']]) {
    expect(main(...args), `${args}`).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/^.+\n$/) });
  }
  const { status, stderr } = main(baseUrl, '--token-command', 'echo no issuer >&2; false');
  expect([status, stderr.trim()]).toEqual([2, 'the token command failed: no issuer']);
});
