import { createInterface } from 'node:readline/promises';

/** Asks the operator to type a word, so that pressing Return by mistake does not deploy anything. */
export async function confirm(
  question: string,
  word: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    // Closing the terminal cancels the deployment.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(`${question} Type ${word} to continue:`), closed])).trim() === word;
  } finally {
    lines.close();
  }
}
