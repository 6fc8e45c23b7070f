import { createInterface } from 'node:readline/promises';

/** Asks for a word to be written, so that no return key that was pressed too often deploys anything. */
export async function ask(
  question: string,
  word: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    // Who closes the terminal has not agreed.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(`${question} Write ${word} to go on: `), closed])).trim() === word;
  } finally {
    lines.close();
  }
}
