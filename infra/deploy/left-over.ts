import { besideStacks, namesOf } from '../../shared/contract/deployment-names.ts';

/**
 * Stacks that a setting asked for once and none asks for now. CDK knows only those that are wanted: it leaves these, and they
 * cost what they cost.
 * @returns a line for each, with the command that deletes it
 */
export async function leftOver(
  stage: string,
  wanted: readonly string[],
  isThere: (stack: string) => Promise<boolean>,
): Promise<string[]> {
  const unwanted = besideStacks(namesOf(stage).stack).filter((name) => !wanted.includes(name));
  const found = await Promise.all(unwanted.map(async (name) => ({ name, is: await isThere(name) })));
  return found
    .filter(({ is }) => is)
    .map(
      ({ name }) =>
        `${name} is there, and no setting asks for it. It goes, with all that it holds, by: aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name} && aws cloudformation delete-stack --stack-name ${name}`,
    );
}
