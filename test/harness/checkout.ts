import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { LocalOutputs } from '../../infra/local/aws/template/outputs.ts';

/** The project once more in a folder of its own, where sources may be changed. */
export interface Checkout {
  readonly folder: string;
  read(path: string): string;
  save(path: string, text: string): void;
  /** Saves a source with a piece of it replaced. */
  replace(path: string, piece: string, by: string): void;
  remove(): void;
}

const folders = ['functions', 'infra', 'shared'];
// The bundler reads tsconfig.json, too.
const files = ['package.json', 'package-lock.json', 'cdk.json', 'tsconfig.json'];

/** `name`: what its folder's begins with. */
export function copyCheckout(name = 'checkout-'): Checkout {
  const folder = mkdtempSync(join(tmpdir(), name));
  for (const part of [...folders, ...files]) {
    cpSync(part, join(folder, part), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const save = (path: string, text: string) => writeFileSync(join(folder, path), text);
  return {
    folder,
    read,
    save,
    replace(path, piece, by) {
      const text = read(path);
      if (!text.includes(piece)) throw new Error(`${path} has no ${piece}`);
      save(path, text.replace(piece, by));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A local stack that runs in a process of its own, as somebody started it in a terminal. */
export interface StartedStack {
  readonly process: ChildProcess;
  /** What it has printed until now. */
  readonly lines: readonly string[];
  /** What it has said, with `--json`, of sources that were saved. */
  news(): string[];
  readonly outputs: LocalOutputs;
  token(scope: string): Promise<string>;
  /** Ends it by a signal and answers its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export async function startStackIn({ folder }: Checkout, ...args: readonly string[]): Promise<StartedStack> {
  const child = spawn(process.execPath, ['infra/local/main.ts', '--port', '0', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const exited = once(child, 'exit');
  await new Promise<void>((isReady, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        if (line.startsWith('ready http')) isReady();
      });
    }
    void exited.then(() => fail(new Error(lines.join('\n'))));
  });
  const outputs = JSON.parse(readFileSync(join(folder, '.local/outputs.json'), 'utf8')) as LocalOutputs;
  return {
    process: child,
    lines,
    news: () =>
      lines.filter((line) => line.startsWith('{"kind":"code"')).map((line) => `code: ${JSON.parse(line).message}`),
    outputs,
    async token(scope) {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope });
      const headers = { authorization: `Basic ${btoa('me:secret')}` };
      const reply = await fetch(outputs.tokenUrl, { method: 'POST', headers, body });
      return ((await reply.json()) as { access_token: string }).access_token;
    },
    async end(signal) {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
