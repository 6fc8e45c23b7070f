import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { deliveryCases } from '../harness/delivery-cases.ts';
import type { Delivery } from '../harness/signed-message.ts';

const page = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const example = (name: string) => page(`shared/receiver/examples/${name}`);
const [, secret = ''] = page('infra/runbook/reference.md').split('\n## The signing secret\n');

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, code: string): string => {
  writeFileSync(join(folder, name), code);
  return join(folder, name);
};

type Verifier = (deliveries: readonly Delivery[]) => boolean[] | Promise<boolean[]>;

const inPython: Verifier = (deliveries) => {
  write('verify.py', example('verify.py'));
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
  const args = ['run', write('verify.go', example('verify.go')), write('run.go', runner)];
  return JSON.parse(execFileSync('go', args, { input: JSON.stringify(deliveries), encoding: 'utf8' }));
};

const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const verifiers: [name: string, isThere: boolean, Verifier][] = [
  ['Python', isThere('python3', '-c', 'import cryptography'), inPython],
  ['Go', isThere('go', 'version'), inGo],
];

describe.each(verifiers)('the example code that verifies a delivery in %s', (_name, isRunnable, verify) => {
  it.skipIf(!isRunnable)('the example code in %s accepts only unchanged deliveries', async () => {
    const { good, bad } = await deliveryCases();
    const cases = { ...good, ...bad };
    const verdicts = await verify(Object.values(cases));
    const accepted = Object.keys(cases).filter((_, index) => verdicts[index] === true);
    expect(verdicts).toHaveLength(Object.keys(cases).length);
    expect(accepted).toEqual(Object.keys(good));
  });
});

it('a command in the runbook prints the HMAC key that signs deliveries', () => {
  const script = /node -e "([^"]*)"/.exec(secret)?.[1] ?? '';
  const printed = execFileSync(process.execPath, ['-e', script], { input: 'ours\n', encoding: 'utf8' });
  expect(printed.trim()).toBe(`whsec_${signingKey('ours').hmacKey.export().toString('base64')}`);
});
