import { createHash } from 'node:crypto';
import { expectedBetween, momentOf } from '#domain/tracking-providers/moments.ts';
import {
  again,
  outcomeOfCode,
  outcomeOfStatus,
  reasons,
  refused,
  submitted,
} from '#domain/tracking-providers/outcomes.ts';
import { postJson, type TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { codesOf, type Fields, fieldsOf, listOf, parsed, textOf } from '#domain/tracking-providers/reading.ts';
import { checkpointOf, reportOf } from '#domain/tracking-providers/report.ts';
import { isSame } from '#domain/tracking-providers/signatures.ts';
import { codes } from './codes.ts';

export const seventeentrack: TrackingProvider = {
  baseUrl: 'https://api.17track.net',
  codes,

  /** 17TRACK finds the carrier by the number. */
  registration: ({ tracking_number }, { api_key }) =>
    postJson('/track/v2.4/register', { '17token': api_key }, [{ number: tracking_number }]),

  /** 17TRACK answers 200 also to what it rejects, with a code for the request or for the number. */
  outcomeOf(answer) {
    if (answer.status !== 200) return outcomeOfStatus(answer);
    const { code, data } = parsed(answer.body);
    const { accepted, rejected, errors } = fieldsOf(data);
    if (listOf(accepted).length > 0) return submitted;
    const given = [fieldsOf(listOf(rejected)[0]?.error).code, listOf(errors)[0]?.code, code];
    const [known] = given.flatMap((candidate) => outcomeOfCode(outcomes, candidate) ?? []);
    return known ?? (given.some(isError) ? refused(reasons.number) : again(reasons.down));
  },

  /** The header `sign` is the SHA-256 of "body/key". The secret is the access key of the account. */
  isGenuine: ({ headers, rawBody }, secret) =>
    isSame(headers.sign, createHash('sha256').update(rawBody).update(`/${secret}`).digest('hex')),

  /** `data` is one parcel, or a list of them. */
  reportsIn: (body) => listOf([fieldsOf(body).data].flat()).flatMap(reportIn),
};

/** 17TRACK's own codes: its documentation, "Error codes". */
const outcomes = {
  '-18010001': refused('The tracking provider does not accept the network address of the service.'),
  '-18010002': refused(reasons.key),
  '-18010003': again(reasons.down),
  '-18010004': refused(reasons.forbidden),
  '-18010005': refused(reasons.forbidden),
  '-18019901': submitted, // exists already
  '-18019903': refused(reasons.carrier),
  '-18019907': again('The limit of the account at the tracking provider for today is reached.'),
  '-18019908': refused(reasons.quota),
  '-18019910': refused(reasons.carrier),
  '-18019911': refused(reasons.carrier),
};

const isError = (code: unknown) => typeof code === 'number' && code !== 0;

/** Each carrier on the way has a history of its own. */
function reportIn(parcel: Fields) {
  const info = fieldsOf(parcel.track_info);
  const { from, to } = fieldsOf(fieldsOf(info.time_metrics).estimated_delivery_date);
  const carriers = listOf(fieldsOf(info.tracking).providers);
  const syncs = carriers.flatMap(({ latest_sync_time }) => momentOf(latest_sync_time)?.time ?? []);
  return reportOf({
    number: parcel.number,
    carrier: parcel.carrier,
    checkpoints: carriers.flatMap(({ events }) => listOf(events)).flatMap(checkpointIn),
    expected: expectedBetween(from, to),
    reportedAt: syncs.sort().at(-1),
  });
}

function checkpointIn(event: Fields) {
  const { city, state, country, postal_code } = fieldsOf(event.address);
  return checkpointOf({
    moment: momentIn(event),
    codes: codesOf(event.sub_status, event.stage),
    text: event.description,
    place: { city, province: state, zip_code: postal_code, country_code: country, full: event.location },
  });
}

/** `time_raw` is as the carrier wrote it. The other two may be null, and `time_iso` may be without an offset. */
function momentIn({ time_iso, time_utc, time_raw }: Fields) {
  const { date, time, timezone } = fieldsOf(time_raw);
  const zone = momentOf(time_iso, timezone)?.timezone ?? timezone;
  const raw = [textOf(date), textOf(time)].filter(Boolean).join('T');
  return momentOf(time_utc, zone) ?? momentOf(time_iso, zone) ?? momentOf(raw, zone);
}
