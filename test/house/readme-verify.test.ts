import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import {
  confirmation as confirmationMessage,
  type Delivery,
  delivered,
  event,
  type Key,
} from '../harness/signed-message.ts';

const page = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const [, section = ''] =
  (page('functions/README.md').split('\n## Verify a delivery\n')[1] ?? '').match(/^([\s\S]*?)\n## /) ?? [];
const codeIn = (language: string): string[] =>
  [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
const [, secret = ''] = page('infra/RUNBOOK.md').split('\n## The signing secret\n');

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, code: string): string => {
  writeFileSync(join(folder, name), code);
  return join(folder, name);
};

type Verifier = (deliveries: readonly Delivery[]) => boolean[] | Promise<boolean[]>;

/** Headers as a web framework provides them: names are unchanged, and a repeated header has both values. */
const nodeHeaders = (headers: Delivery['headers']) =>
  Object.fromEntries(
    [...Map.groupBy(headers, ([name]) => name)].map(([name, all]) => {
      const values = all.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );

const inNode =
  (name: string, code = ''): Verifier =>
  async (deliveries) => {
    const library = createRequire(import.meta.url).resolve('http-message-signatures');
    const file = write(name, code.replace('http-message-signatures', pathToFileURL(library).href));
    const { verifiedHeaders } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const verdicts = deliveries.map(async ({ headers, body, jwks }) => {
      const read = await verifiedHeaders(nodeHeaders(headers), Buffer.from(body, 'base64'), jwks);
      // Receivers may read only the headers that the verification returns.
      return read !== undefined && headers.every(([name, value]) => read[name.toLowerCase()] === value);
    });
    return Promise.all(verdicts);
  };

const inPython: Verifier = (deliveries) => {
  write('verify.py', codeIn('python').join());
  const runner = `
import base64, email.message, json, sys
from verify import is_from_registry
verdicts = []
for delivery in json.load(sys.stdin):
    headers = email.message.Message()
    for name, value in delivery["headers"]:
        headers[name] = value
    verdicts.append(is_from_registry(headers, base64.b64decode(delivery["body"]), delivery["jwks"]))
print(json.dumps(verdicts))
`;
  const args = [write('run.py', runner)];
  return JSON.parse(execFileSync('python3', args, { input: JSON.stringify(deliveries), encoding: 'utf8' }));
};

const inGo: Verifier = (deliveries) => {
  const runner = `package main
import ("encoding/json"; "os"; "net/http")
func main() {
	var deliveries []struct { Headers [][]string; Body []byte; Jwks Jwks }
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil { panic(err) }
	verdicts := []bool{}
	for _, one := range deliveries {
		headers := http.Header{}
		for _, pair := range one.Headers { headers.Add(pair[0], pair[1]) }
		verdicts = append(verdicts, IsFromRegistry(headers, one.Body, one.Jwks))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;
  const code = codeIn('go').join().replace('package registry', 'package main');
  const args = ['run', write('verify.go', code), write('run.go', runner)];
  return JSON.parse(execFileSync('go', args, { input: JSON.stringify(deliveries), encoding: 'utf8' }));
};

const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const [library, byHand] = codeIn('js');
const verifiers: [name: string, isThere: boolean, Verifier][] = [
  ['Node.js with a library', true, inNode('library.mjs', library)],
  ['Node.js by hand', true, inNode('by-hand.mjs', byHand)],
  ['Python', isThere('python3', '-c', 'import cryptography'), inPython],
  ['Go', isThere('go', 'version'), inGo],
];

const [ours, before, foreign] = ['ours', 'before', 'foreign'].map(signingKey) as [Key, Key, Key];
const jwks = (...keys: Key[]) => ({ keys: keys.map(({ publicKey }) => publicKey) });

const without = ({ headers }: Delivery, name: string) => headers.filter(([given]) => given !== name);
const changed = (delivery: Delivery, name: string, value: string): Delivery => ({
  ...delivery,
  headers: [...without(delivery, name), [name, value]],
});

const titled = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const good: Record<string, Delivery> = {};
const bad: Record<string, Delivery> = {};
beforeAll(async () => {
  const birth = await delivered(event('liveBirth'), [ours]);
  const confirmation = await delivered(confirmationMessage(), [ours]);
  const plain = await delivered(event(undefined), [ours]);
  const rotated = await delivered(event('décès, 100 %'), [ours, before]);
  Object.assign(good, {
    birth,
    confirmation,
    rotated,
    plain,
    'names in title case': { ...birth, headers: birth.headers.map(([name, value]) => [titled(name), value]) },
  });
  for (const key of [ours, before])
    good[`rotated, with only the key ${key.publicKey.kid}`] = { ...rotated, jwks: jwks(key) };

  for (const name of ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest', 'signature']) {
    bad[`a changed ${name}`] = changed(birth, name, 'death');
    bad[`no ${name}`] = { ...birth, headers: without(birth, name) };
  }
  for (const name of ['subject', 'Subject', 'SUBJECT']) {
    bad[`a second subject, written ${name}`] = { ...birth, headers: [...birth.headers, [name, 'death']] };
    bad[`a second subject before it, written ${name}`] = { ...birth, headers: [[name, 'death'], ...birth.headers] };
    bad[`an added subject, written ${name}`] = { ...plain, headers: [...plain.headers, [name, 'death']] };
  }
  const listed = await delivered(event('birth, death'), [ours]);
  for (const name of ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest']) {
    const [, value = ''] = listed.headers.find(([given]) => given === name) ?? [];
    const lines = value.includes(', ') ? value.split(', ') : [value, value];
    bad[`two lines of ${name}`] = {
      ...listed,
      headers: [...without(listed, name), ...lines.map((line) => [name, line] as const)],
    };
  }
  bad['a confirmation with a subject'] = changed(confirmation, 'subject', 'liveBirth');
  bad['another body'] = { ...birth, body: Buffer.from('{}').toString('base64') };
  bad['an unknown key'] = { ...birth, jwks: jwks(foreign) };
  bad['no keys'] = { ...birth, jwks: jwks() };
  const input = birth.headers.find(([name]) => name === 'signature-input')?.[1] ?? '';
  const renamed = changed(birth, 'signature-input', input.replace(ours.publicKey.kid, foreign.publicKey.kid));
  bad['the name of another key'] = { ...renamed, jwks: jwks(ours, foreign) };
  bad['a time of many digits'] = changed(
    birth,
    'signature-input',
    input.replace(/created=\d+/, `created=${'1'.repeat(5000)}`),
  );
  bad['another time'] = changed(birth, 'signature-input', input.replace(/created=\d+/, 'created=1618884473'));
  bad['no signature at all'] = { ...birth, headers: without(changed(birth, 'signature', ''), 'signature-input') };
  bad['a signature from an hour ago'] = await delivered(event('liveBirth'), [ours], -3600);
  bad['a signature from one hour in the future'] = await delivered(event('liveBirth'), [ours], 3600);
});

describe.each(verifiers)('the README code that verifies a delivery in %s', (_name, isRunnable, verify) => {
  it.skipIf(!isRunnable)('the code accepts only unchanged deliveries', async () => {
    const cases = { ...good, ...bad };
    const verdicts = await verify(Object.values(cases));
    const accepted = Object.keys(cases).filter((_, index) => verdicts[index] === true);
    expect(verdicts).toHaveLength(Object.keys(cases).length);
    expect(accepted).toEqual(Object.keys(good));
  });
});

it('the runbook command prints the HMAC key that signs deliveries', () => {
  const script = /node -e "([^"]*)"/.exec(secret)?.[1] ?? '';
  const printed = execFileSync(process.execPath, ['-e', script], { input: 'ours\n', encoding: 'utf8' });
  expect(printed.trim()).toBe(`whsec_${ours.hmacKey.export().toString('base64')}`);
});
