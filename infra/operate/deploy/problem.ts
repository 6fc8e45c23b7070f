/** A condition that would make a deployment fail or prevent the stage from working. */
export interface Problem {
  readonly problem: string;
  readonly fix: string;
  /** True if the check itself failed, so that the result is unknown. */
  readonly isUnknown?: boolean;
}

/**
 * Runs a check that reads from AWS. If the credentials lack permission, the result is unknown. This is not an error.
 */
export async function unlessDenied(action: string, check: () => Promise<Problem[]>): Promise<Problem[]> {
  try {
    return await check();
  } catch (error) {
    const problem = `not checked (${action}): ${(error as Error).name}`;
    return [{ problem, fix: `use credentials that may call ${action}, or check it yourself`, isUnknown: true }];
  }
}
