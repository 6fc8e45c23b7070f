import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, it, onTestFinished } from 'vitest';
import { inbox } from '../../infra/local/demo/mailbox.ts';
import { eventually } from '../harness/eventually.ts';

const { outputs } = inject('stack');

// The folder contains the outputs of the stack, as if the stack had been started there.
const folder = mkdtempSync(join(tmpdir(), 'readme-journey-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, '.local'));
writeFileSync(join(folder, '.local/outputs.json'), JSON.stringify(outputs));
for (const name of ['package.json', 'node_modules', 'shared'])
  symlinkSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(folder, name));

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [section = ''] = readme.split('\n## The journey\n')[1]?.split('\n## ') ?? [];
const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);

/** Runs the lines in a shell and returns the lines that they print. */
async function paste(lines: string): Promise<string[]> {
  // The shell has its own process group, so that the test can stop the receiver even if a command never ends.
  const shell = spawn('bash', ['-s'], { cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid);
  });
  shell.stdin.end(lines);
  return (await text(shell.stdout)).trimEnd().split('\n');
}

it('the commands in the README work exactly as they are printed', async () => {
  const [uins = '', ...answers] = await paste(blocks.join('\n'));
  expect(uins).toMatch(/^\d{12} \d{12} \d{12}$/);
  const [, father = '', child = ''] = uins.split(' ');
  const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/events$/);
  const subscription = { topic: 'CR', protocol: 'http', address, policy: '10,5', active: false };
  const event = answers.pop();

  expect(answers.map((line) => JSON.parse(line))).toEqual([
    expect.arrayContaining([father]),
    expect.arrayContaining([child]),
    { firstName: 'Inés', dateOfBirth: '2024-02-29', status: expect.objectContaining({ code: 1023 }) },
    [
      { attributeName: 'lastName', errorCode: 1 },
      { attributeName: 'status', errorCode: 0 },
    ],
    true,
    expect.objectContaining({ name: 'CR' }),
    expect.objectContaining(subscription),
    expect.objectContaining({ protocol: 'email', address: 'clerk@example.org' }),
    expect.objectContaining({ ...subscription, active: true }),
    { messageId: expect.any(String) },
  ]);
  expect(event).toBe(`liveBirth {"source":"hospital-1","uin":"${child}"}`);
  await eventually(async () => {
    expect(await inbox(outputs.inboxUrl, 'clerk@example.org')).toHaveLength(1);
  });
});
