/**
 * Names that are unique per stage within an account and region. A stage (`dev`, `test`, `prod`) is one deployment of
 * the service. The API Gateway stage has the same name in every deployment.
 */
export const namesOf = (stage: string) => ({
  /** The service's stack in CloudFormation. The names of the other stacks start with it. */
  stack: `IdentityRegistry-${stage}`,
  api: `identity-registry-${stage}`,
  /** The namespace of the metrics in CloudWatch. */
  metrics: `IdentityRegistry/${stage}`,
  /** The dashboard in CloudWatch. */
  dashboard: `IdentityRegistry-${stage}`,
  webAcl: `identity-registry-${stage}`,
  /** The SES configuration set for all emails. */
  configurationSet: `identity-registry-${stage}`,
  /** The beginning of the user pool's domain. The account id makes the domain unique in the region. */
  userPoolDomain: `identity-registry-${stage}`,
});

/** Returns the names of a stage's optional stacks: identity provider, network, observability, protection. */
export const besideStacks = (stack: string) =>
  [`${stack}-IdentityProvider`, `${stack}-Network`, `${stack}-Observability`, `${stack}-Protection`] as const;

export const jobOutput = ({ job }: { readonly job: string }): string => `${job}Function`;
