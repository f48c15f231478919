import { type ErrorBody, type ErrorKey, errorBody } from '../catalogues/errors.ts';
import { ids } from './story.ts';

/** The errors that name invalid fields, or say more than the catalogue. */
const details: Partial<Record<ErrorKey, Parameters<typeof errorBody>[1]>> = {
  invalid_payload: { errors: [{ loc: ['body', 'name'], msg: 'is required', type: 'missing' }] },
  campaign_type_invalid: {
    errors: [{ loc: ['body', 'promotion_type'], msg: 'must be one of basic, product', type: 'value_error' }],
  },
  carrier_reference_invalid: {
    errors: [
      {
        loc: ['body', 'trackings', 0, 'carrier_reference'],
        msg: 'must be a known carrier reference',
        type: 'value_error',
      },
    ],
  },
  campaign_active_segment_exists: {
    message: `${errorBody('campaign_active_segment_exists').message} It is the campaign ${ids.campaign}: Autumn rain`,
  },
  a_b_test_overlap: {
    message: `${errorBody('a_b_test_overlap').message} It is the A/B test ${ids.abTest}: Does the promotion sell?`,
  },
  claim_transition_invalid: { message: 'The status of the claim cannot change from closed to accepted.' },
  image_media_unsupported: { message: 'The file is not a JPEG, PNG, GIF or WebP image.' },
  bad_gateway: { message: "The shop's own system failed or refused the request. Try again later." },
};

/** The body of an error as a caller gets it. */
export const errorExample = (key: ErrorKey): ErrorBody => errorBody(key, details[key]);
