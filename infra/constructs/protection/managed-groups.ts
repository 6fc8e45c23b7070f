/**
 * A rule group that AWS maintains. Rules in `counted` do not block requests, because they also match legitimate
 * requests.
 */
interface ManagedGroup {
  readonly name: string;
  readonly counted: readonly string[];
}

const everywhere = (rule: string): string[] =>
  ['BODY', 'COOKIE', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `${rule}_${place}`);

/**
 * The rule groups of the web ACL, described in the AWS WAF Developer Guide ("Baseline rule groups", "IP reputation rule
 * groups"). The groups for SQL, PHP and Windows are omitted because this service uses none of these technologies. The
 * groups that block anonymizing services and hosting providers are omitted because API clients are servers.
 */
export const managedGroups: readonly ManagedGroup[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    counted: [
      // Events may exceed 8 KB, and searches may have many attributes. The API has its own size limits.
      'SizeRestrictions_BODY',
      'SizeRestrictions_QUERYSTRING',
      'SizeRestrictions_URIPATH',
      // Subscription requests contain the URL of a receiver. The service itself checks the URLs of receivers.
      ...['BODY', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `GenericRFI_${place}`),
      ...everywhere('EC2MetaDataSSRF'),
      // Event bodies and names may contain markup, which the pages escape.
      ...everywhere('CrossSiteScripting'),
      'GenericLFI_BODY',
      'GenericLFI_QUERYARGUMENTS',
      // Topic names may end with a file extension, but the API serves no files.
      'RestrictedExtensions_QUERYARGUMENTS',
      'RestrictedExtensions_URIPATH',
      // API clients may omit the User-Agent header.
      'NoUserAgent_HEADER',
    ],
  },
];
