/** What the bundler puts in place of asking a virtual machine for its region: Lambda says it in the environment. */
export const getInstanceMetadataRegion = async (): Promise<undefined> => undefined;
