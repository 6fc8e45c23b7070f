/** Something that would make a deployment fail, or a stage not work. */
export interface Problem {
  readonly problem: string;
  readonly fix: string;
  /** Whether the check itself failed, so that nothing is known. */
  readonly isUnknown?: boolean;
}

/** Runs a check that reads from AWS. An operator may lack the permission to read, so a failed check is not an error. */
export async function unlessDenied(action: string, check: () => Promise<Problem[]>): Promise<Problem[]> {
  try {
    return await check();
  } catch (error) {
    const problem = `not checked (${action}): ${(error as Error).name}`;
    return [{ problem, fix: `use credentials that may call ${action}, or check it yourself`, isUnknown: true }];
  }
}
