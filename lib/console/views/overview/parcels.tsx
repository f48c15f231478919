import type { Answer } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, t, wordOf } from '../../texts/texts.ts';
import { Section } from '../../ui/parts.tsx';
import { phaseTone, State, type Tone, tones } from '../../ui/tone.tsx';

type Counts = Answer<'getStatistics'>;
type Phase = keyof Counts['parcels']['by_phase'];

/** As a parcel goes. */
const order: Phase[] = [
  'order_created',
  'order_processed',
  'in_transit',
  'in_delivery',
  'collect',
  'delivered',
  'delivery_failed',
  'return_created',
  'return_transit',
  'return_received',
  'return_failed',
  'returned',
  'order_cancelled',
];

/** Where all parcels are now, and how the claims stand. */
export const ParcelsView = ({ counts: { parcels, claims } }: { counts: Counts }) => (
  <div class="columns">
    <Section title={t('overview.parcels.title')}>
      <ul class="tallies card">
        {order
          .filter((phase) => parcels.by_phase[phase] > 0)
          .map((phase) => (
            <Tally
              key={phase}
              tone={phaseTone(phase)}
              count={parcels.by_phase[phase]}
              to={can('searchOrders') ? `${inShop('/orders')}?phase=${phase}` : undefined}
            >
              {wordOf('common.phases', phase)}
            </Tally>
          ))}
      </ul>
    </Section>
    <Section title={t('overview.claims.title')}>
      <ul class="tallies card">
        {(Object.keys(tones.claim) as (keyof typeof tones.claim)[]).map((status) => (
          <Tally key={status} tone={tones.claim[status]} count={claims.by_status[status]}>
            {t(`overview.claims.${status}`)}
          </Tally>
        ))}
      </ul>
    </Section>
  </div>
);

interface TallyProps {
  tone: Tone;
  count: number;
  /** The list of what was counted. */
  to?: string | undefined;
  children: string;
}

const Tally = ({ tone, count, to, children }: TallyProps) => (
  <li class="tally">
    <State tone={tone}>{to ? <a href={href(to)}>{children}</a> : children}</State>
    <span class="figure">{number(count)}</span>
  </li>
);
