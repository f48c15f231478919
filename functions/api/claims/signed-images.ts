import type { Claim } from '#schemas/families/claims.ts';

type Sign = (url: string) => Promise<string>;

/** A claim with each of its images by a URL that opens it. */
export async function withSignedImages(claim: Claim, sign: Sign): Promise<Claim> {
  const { customer_signature_image_url: signature } = claim;
  const [customer_signature_image_url, image_urls, optional_image_urls, selected_items, damaged_product_items] =
    await Promise.all([
      signature === null ? null : sign(signature),
      Promise.all(claim.image_urls.map(sign)),
      Promise.all(claim.optional_image_urls.map(sign)),
      signedItems(claim.selected_items, sign),
      signedItems(claim.damaged_product_items, sign),
    ]);
  const signed = { customer_signature_image_url, image_urls, optional_image_urls };
  return { ...claim, ...signed, selected_items, damaged_product_items };
}

const signedItems = (items: Claim['selected_items'], sign: Sign) =>
  Promise.all(items.map(async (item) => ({ ...item, image_urls: await Promise.all(item.image_urls.map(sign)) })));
