import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { LocalOutputs } from '../../infra/local/aws/template/outputs.ts';

const folders = ['functions', 'infra', 'shared'];
// The bundler also reads tsconfig.json.
const files = ['package.json', 'package-lock.json', 'cdk.json', 'tsconfig.json'];

/** Files that tests need in addition to the product. The README links to `.github`. */
export const testedParts = ['test', 'vitest.config.ts', 'README.md', 'LICENSE', '.github'];

/**
 * Copies the product to a temporary folder. Tests may change the source files in the copy.
 * @param name the prefix of the folder name
 * @param more additional files and folders to copy
 */
export function copyCheckout(name = 'checkout-', more: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), name));
  for (const part of [...folders, ...files, ...more]) {
    cpSync(part, join(folder, part), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return {
    folder,
    read,
    save,
    /** Replaces one piece of text in a source file. */
    replace(path: string, piece: string, by: string): void {
      const text = read(path);
      if (!text.includes(piece)) throw new Error(`${path} has no ${piece}`);
      save(
        path,
        text.replace(piece, () => by),
      );
    },
    delete: (path: string) => rmSync(join(folder, path)),
    /** Deletes the whole copy. */
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Checkout = ReturnType<typeof copyCheckout>;

/** Runs the command-line program of the local stack in a separate process. */
export async function startStackIn({ folder }: Checkout, ...args: readonly string[]) {
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
    /** The lines printed so far. */
    lines,
    /** Returns the messages about saved source files that the stack has printed. Requires the `--json` option. */
    news: () =>
      lines.filter((line) => line.startsWith('{"kind":"code"')).map((line) => `code: ${JSON.parse(line).message}`),
    outputs,
    async token(scope: string): Promise<string> {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope });
      const headers = { authorization: `Basic ${btoa('me:secret')}` };
      const reply = await fetch(outputs.tokenUrl, { method: 'POST', headers, body });
      return ((await reply.json()) as { access_token: string }).access_token;
    },
    /** Sends a signal to the stack and returns its exit code. */
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

export type StartedStack = Awaited<ReturnType<typeof startStackIn>>;
