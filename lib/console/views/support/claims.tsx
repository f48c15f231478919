import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import {
  claimReasons,
  claimStatuses,
  claimTransitions,
  resolutionPreferences,
} from '#schemas/catalogues/enumerations.ts';
import { call } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { href, inShop, place, setQuery } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextInput } from '../../ui/fields.tsx';
import { Filters, filter, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { now, Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { endOf, startOf } from '../local-days.ts';
import { type Claim, ClaimForm } from './claim-form.tsx';
import { ClaimState, type ClaimStatus } from './claim-state.tsx';

const names = ['reason', 'resolution_preference', 'created_from', 'created_to'] as const;

/** A column shows so many, and so many more with each step. The API gives 100 at once at most. */
const step = 25;
const most = 100;

const sizeOf = (status: ClaimStatus) => Math.min(Math.max(Number(place.value.query.get(status)) || step, step), most);

/** The claims of the shop by their status. */
export default function Claims() {
  const columns = Object.fromEntries(claimStatuses.map((status) => [status, useColumn(status)])) as Record<
    ClaimStatus,
    Column
  >;
  const moving = useSignal<{ claim: Claim; to: ClaimStatus } | undefined>(undefined);
  const board = useRef<HTMLDivElement>(null);
  const moved = async ({ uuid, status }: Claim, from: ClaimStatus) => {
    await Promise.all([columns[from].reload(), columns[status].reload()]);
    moving.value = undefined;
    // The button that was pressed is gone: the focus goes with the claim.
    setTimeout(() => {
      const element = document.getElementById(`claim-${uuid}`)?.querySelector('a');
      (element ?? board.current)?.focus();
    });
  };
  return (
    <Page title={t('support.claims.title')}>
      <Filters names={names}>
        <Choice name="reason" label={t('support.claims.reason')} group="support.reasons" values={claimReasons} />
        <Choice
          name="resolution_preference"
          label={t('support.claims.preference')}
          group="support.preferences"
          values={resolutionPreferences}
        />
        <TextInput label={t('support.claims.from')} name="created_from" type="date" value={filter('created_from')} />
        <TextInput label={t('support.claims.to')} name="created_to" type="date" value={filter('created_to')} />
      </Filters>
      <div class="board" ref={board} tabIndex={-1}>
        {claimStatuses.map((status) => (
          <ColumnView
            key={status}
            status={status}
            column={columns[status]}
            onMove={(claim, to) => {
              moving.value = { claim, to };
            }}
          />
        ))}
      </div>
      {moving.value && (
        <Dialog
          title={t('support.claims.move', { number: moving.value.claim.order_number })}
          onClose={() => {
            moving.value = undefined;
          }}
        >
          <ClaimForm
            claim={moving.value.claim}
            to={moving.value.to}
            onSaved={(claim) => moved(claim, moving.value!.claim.status)}
            onTheirs={(claim) => {
              for (const column of Object.values(columns)) column.reload();
              moving.value = { claim, to: claim.status };
            }}
          />
        </Dialog>
      )}
    </Page>
  );
}

type Column = Resource<Claim[]>;

function useColumn(status: ClaimStatus): Column {
  const filters = Object.fromEntries(names.map((name) => [name, filter(name)]));
  const per_page = sizeOf(status);
  return useResource(JSON.stringify([filters, per_page]), async (signal) => {
    const days = { created_from: startOf(filter('created_from')), created_to: endOf(filter('created_to')) };
    const { claims } = await call('searchClaims', { query: { ...filters, ...days, status, per_page }, signal });
    return claims;
  });
}

interface ChoiceProps {
  name: string;
  label: string;
  group: string;
  values: readonly string[];
}

const Choice = ({ name, label, group, values }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <select name={name}>
      <option value="">{t('common.all')}</option>
      {values.map((value) => (
        <option key={value} value={value} selected={value === filter(name)}>
          {wordOf(group, value)}
        </option>
      ))}
    </select>
  </label>
);

interface ColumnProps {
  status: ClaimStatus;
  column: Column;
  onMove: (claim: Claim, to: ClaimStatus) => void;
}

function ColumnView({ status, column, onMove }: ColumnProps) {
  const shown = column.value.value?.length;
  const size = sizeOf(status);
  const hasMore = shown === size;
  return (
    <section class="stack column" aria-labelledby={`column-${status}`}>
      <h2 id={`column-${status}`}>
        <ClaimState status={status} />{' '}
        {shown !== undefined && (
          <span class="muted">{hasMore ? t('support.claims.atLeast', { count: shown }) : shown}</span>
        )}
      </h2>
      <Loaded resource={column} tried={t('support.claims.tried')}>
        {(claims) => (
          <>
            {claims.length === 0 && <p class="muted">{wordOf('support.claims.empty', status)}</p>}
            <ul class="stack">
              {claims.map((claim) => (
                <ClaimCard key={claim.uuid} claim={claim} onMove={onMove} />
              ))}
            </ul>
            {hasMore &&
              (size < most ? (
                <Button onClick={() => setQuery({ [status]: size + step })}>{t('support.claims.more')}</Button>
              ) : (
                <p class="muted">{t('support.claims.narrow')}</p>
              ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

const overdueMs = 3 * 86_400_000;

const isOverdue = ({ status, created_at }: Claim) =>
  status === 'pending' && now.value - Date.parse(created_at) > overdueMs;

function ClaimCard({ claim, onMove }: { claim: Claim; onMove: ColumnProps['onMove'] }) {
  const { uuid, reason, order_number, address, resolution_preference, created_at, status } = claim;
  return (
    <li id={`claim-${uuid}`} class={isOverdue(claim) ? 'card claim-card overdue' : 'card claim-card'}>
      <RowLink to={href(inShop(`/claims/${uuid}`))}>{wordOf('support.reasons', reason)}</RowLink>
      <span>
        {t('support.order.named', { number: order_number })}
        {address?.name && (
          <>
            {' · '}
            <bdi>{address.name}</bdi>
          </>
        )}
      </span>
      {resolution_preference && (
        <span class="muted">
          {t('support.claims.wants', { what: wordOf('support.preferences', resolution_preference) })}
        </span>
      )}
      <span class="muted">
        <Time at={created_at} />
        {isOverdue(claim) && `, ${t('support.claims.waiting')}`}
      </span>
      {claim.unanswered_since && (
        <State tone="attention" icon="claim">
          {t('support.claim.messages.waits')}
        </State>
      )}
      {can('updateClaim') && claimTransitions[status].length > 0 && (
        <div class="actions">
          {claimTransitions[status].map((to) => (
            <Button key={to} onClick={() => onMove(claim, to)}>
              {wordOf('support.moves', to)}
              <span class="hidden">
                : {t('support.order.named', { number: order_number })}, {wordOf('support.reasons', reason)}
              </span>
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}
