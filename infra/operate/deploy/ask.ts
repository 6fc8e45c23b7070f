import { createInterface } from 'node:readline/promises';

/** Asks the operator to type a word, so that pressing Return by mistake has no effect. */
export async function confirm(
  question: string,
  word: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    // A closed terminal counts as a refusal.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(`${question} Type ${word} to continue:`), closed])).trim() === word;
  } finally {
    lines.close();
  }
}
