import { createInterface } from 'node:readline/promises';

/** Prompts the operator to type a word, so that pressing Return by accident deploys nothing. */
export async function confirm(
  question: string,
  word: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    // Closing the terminal counts as a refusal to deploy.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(`${question} Type ${word} to continue:`), closed])).trim() === word;
  } finally {
    lines.close();
  }
}
