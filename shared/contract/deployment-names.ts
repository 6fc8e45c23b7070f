/**
 * Returns those resource names of a stage that must be unique within an account and region. A stage (`dev`, `test`,
 * `prod`) is one deployment of the service. The API Gateway stage has the same name in every deployment.
 */
export const namesOf = (stage: string) => ({
  /** The name of the service's CloudFormation stack, which is also the prefix of all other stack names. */
  stack: `IdentityRegistry-${stage}`,
  api: `identity-registry-${stage}`,
  /** The CloudWatch namespace of the metrics. */
  metrics: `IdentityRegistry/${stage}`,
  /** The CloudWatch dashboard. */
  dashboard: `IdentityRegistry-${stage}`,
  webAcl: `identity-registry-${stage}`,
  /** The SES configuration set for all emails. */
  configurationSet: `identity-registry-${stage}`,
  /**
   * The prefix of the user pool's domain. The domain ends with the account id, because the domain must be unique in the
   * region.
   */
  userPoolDomain: `identity-registry-${stage}`,
});

/** The value of the `service` tag, which every resource has. */
export const serviceTag = 'identity-registry';

/**
 * Returns the name of the stack that contains the resources that outlive the service's stack: tables, buckets and
 * secrets.
 */
export const dataStack = (stack: string): string => `${stack}-Data`;

/** Returns the names of a stage's optional stacks: identity provider, network, observability and protection. */
export const besideStacks = (stack: string) =>
  [`${stack}-IdentityProvider`, `${stack}-Network`, `${stack}-Observability`, `${stack}-Protection`] as const;

/** The name of the stack output that lists the ARNs of the alarms that can roll back an update. */
export const rollbackOutput = 'rollbackAlarms';

export const jobOutput = ({ job }: { readonly job: string }): string => `${job}Function`;
