/**
 * The names by which deployments in one account and region stand beside each other. A stage (`dev`, `test`, `prod`) is one
 * deployment of the service; API Gateway's own stage has the same name in each.
 */
export const namesOf = (stage: string) => ({
  /** The service's stack in CloudFormation; the other stacks of the stage begin with it. */
  stack: `IdentityRegistry-${stage}`,
  /** The REST API. */
  api: `identity-registry-${stage}`,
  /** Namespace of the metrics in CloudWatch. */
  metrics: `IdentityRegistry/${stage}`,
  /** Dashboard in CloudWatch. */
  dashboard: `IdentityRegistry-${stage}`,
  /** Web ACL before the API, and what its metrics call it. */
  webAcl: `identity-registry-${stage}`,
  /** SES configuration set that mails go out by. */
  configurationSet: `identity-registry-${stage}`,
  /** Begins the address of the user pool, which the account's id makes one of a kind in the region. */
  userPoolDomain: `identity-registry-${stage}`,
});

/** The stacks that a stage may have beside that of the service: identity provider, network, observability, protection. */
export const besideStacks = (stack: string) =>
  [`${stack}-IdentityProvider`, `${stack}-Network`, `${stack}-Observability`, `${stack}-Protection`] as const;
