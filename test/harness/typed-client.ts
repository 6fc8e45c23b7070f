import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

// The generator needs the API of TypeScript 5, which the current compiler does not have.
const registered = () =>
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript5' : specifier, context),
  });

/** Generates TypeScript types with `openapi-typescript`. */
async function typesOf(description: string): Promise<string> {
  const hooks = registered();
  try {
    const { astToString, default: generate } = await import('openapi-typescript');
    return astToString(await generate(description, { alphabetize: true }));
  } finally {
    hooks.deregister();
  }
}

/** Creates a folder in which programs are compiled together with generated types. */
export async function openWorkshop(description: string) {
  // The folder is in the repository so that the compiler finds the repository's packages.
  mkdirSync(join(root, '.local'), { recursive: true });
  const folder = mkdtempSync(join(root, '.local', 'typed-client-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'registry.d.ts'), await typesOf(description));

  /** Compiles a program with strict settings and returns its compile errors. */
  async function errorsIn(program: string): Promise<string[]> {
    writeFileSync(join(folder, 'program.ts'), program);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom'];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const command = [compiler, '--ignoreConfig', '--singleThreaded', ...options, '--types', 'node', 'program.ts'];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    return stdout.split('\n').filter((line) => line.includes('error TS'));
  }

  return { folder, errorsIn, close: () => rmSync(folder, { recursive: true }) };
}
