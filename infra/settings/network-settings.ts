import { emptyOr, namesThat, oneOf } from '../../shared/contract/setting-schemas.ts';
import type { Setting } from '../../shared/contract/settings.ts';

/** Over how many zones a VPC stands that the stack makes: each has a gateway with an address of its own. */
export const zones = 2;

/** Where the functions stand that call receivers. */
export const networkSettings = {
  vpc: {
    schema: oneOf('', 'make'),
    default: '',
    meaning:
      '`make` makes a VPC of its own: receivers are then called from fixed addresses, the outputs `egressAddress…`',
  },
  vpcId: {
    schema: emptyOr(/^vpc-[0-9a-f]{8,17}$/, 'must be the id of a VPC'),
    default: '',
    meaning: 'the VPC that is there already, in place of one that is made',
  },
  subnetIds: {
    schema: namesThat(
      (one) => /^subnet-[0-9a-f]{8,17}$/.test(one),
      'must be ids of subnets such as subnet-0123456789abcdef0',
    ),
    default: '',
    meaning:
      'its private subnets, comma-separated, two or more in different zones; they need a way to AWS and to receivers (NAT)',
  },
  vpcFor: {
    schema: oneOf('deliveries', 'all'),
    default: 'deliveries',
    meaning: 'which functions are in the VPC: `deliveries`, those that call receivers by http, or `all`',
  },
} as const satisfies Record<string, Setting>;
