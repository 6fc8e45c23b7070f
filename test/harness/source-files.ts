import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** An import in a source file: the name of a package, or a path from the root of the repository. */
export interface Import {
  readonly target: string;
  readonly isRelative: boolean;
  /** Whether the compiler removes the import. */
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  /** The path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:[\w*{][^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

function importsOf(path: string, code: string): Import[] {
  const statements = [...code.matchAll(STATEMENT)].map(([, type, name = '']) => ({ name, isTypeOnly: Boolean(type) }));
  const dynamic = [...code.matchAll(DYNAMIC)].map(([, name = '']) => ({ name, isTypeOnly: false }));
  return [...statements, ...dynamic].map(({ name, isTypeOnly }) => {
    const isRelative = name.startsWith('.');
    return { target: isRelative ? normalize(join(dirname(path), name)) : name, isRelative, isTypeOnly };
  });
}

/** Reads all TypeScript files in the given folders of the repository. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(join(root, folder, '**/*.ts')))
    .map((file) => {
      const path = relative(root, file);
      const text = readFileSync(file, 'utf8');
      const code = text.replace(/^\s*\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return { path, text, code, imports: importsOf(path, code) };
    });
}
