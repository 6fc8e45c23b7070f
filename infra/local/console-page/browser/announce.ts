/** Says what has happened, to eyes and to screen readers: in the open look, where there is one, for all else is inert then. */
export function announce(text: string): void {
  const place = document.querySelector('dialog[open] .said') ?? document.querySelector('body > .said');
  if (place !== null) place.textContent = text;
}

/** Does something, and says how it went. */
export async function doing(work: () => Promise<string>): Promise<void> {
  try {
    announce(await work());
  } catch (error) {
    announce(`That did not work: ${error instanceof Error ? error.message : String(error)}`);
  }
}
