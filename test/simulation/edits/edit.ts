/** Replaces a string in a source file while Node.js loads the file. The file on disk does not change. */
export interface Edit {
  /** The path from the root of the project. */
  readonly file: string;
  /** The text to replace, which must occur exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
}
