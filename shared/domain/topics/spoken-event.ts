/** `liveBirth` as people write it: `Live birth`. Anything but such a word stays as it is. */
export function spokenEvent(name: string): string {
  if (!/^[a-z]+([A-Z][a-z]+)*$/.test(name)) return name;
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
