/**
 * Where the code of this service lies in the account's bucket of assets, beside the code of others: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html.
 */
export const assetPrefix = 'post-purchase/';
