/** Name of API Gateway's stage, which is the first segment of every public path: routes do not repeat it. */
export const stage = 'v1';

/** The resource that a public path has within the stage: `/uin` of `/v1/uin`. */
export const resourceOf = (path: `/${typeof stage}/${string}`): string => path.slice(`/${stage}`.length);
