import type { ComponentChildren } from 'preact';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { webLink } from '#schemas/catalogues/links.ts';
import { type Answer, call, Failure } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { go, href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { money, t, wordOf } from '../../texts/texts.ts';
import { askerOf, authorOf } from '../../ui/author.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Pager, pageOf, perPage } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { type Fact, Facts, Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded, textOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type Claim, ClaimForm } from './claim-form.tsx';
import { ClaimState } from './claim-state.tsx';
import { Conversation } from './conversation.tsx';

type HistoryEntry = Answer<'listClaimHistory'>[number];

export default function ClaimView({ params }: ViewProps) {
  const uuid = params.id!;
  const page = pageOf();
  const claim = useResource(uuid, (signal) => readClaim(uuid, signal));
  const history = useResource(`${uuid} ${page}`, (signal) =>
    call('listClaimHistory', { params: { uuid }, query: { page, per_page: perPage }, signal }),
  );
  return (
    <Loaded resource={claim} tried={t('support.claim.tried')}>
      {(found) =>
        found ? (
          <Found claim={found} history={history} reload={() => Promise.all([claim.reload(), history.reload()])} />
        ) : (
          <Page title={t('support.claim.gone')} up={up()}>
            <Empty title={t('support.claim.gone')} text={t('support.claim.goneText')} icon="claim" />
          </Page>
        )
      }
    </Loaded>
  );
}

const up = () => ({ path: inShop('/claims'), label: t('support.claims.title') });

/** Null if the shop has no such claim. */
async function readClaim(uuid: string, signal: AbortSignal): Promise<Claim | null> {
  try {
    return await call('getClaim', { params: { uuid }, signal });
  } catch (error) {
    if (error instanceof Failure && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

interface FoundProps {
  claim: Claim;
  history: Resource<HistoryEntry[]>;
  reload: () => Promise<unknown>;
}

function Found({ claim, history, reload }: FoundProps) {
  const title = t('support.claim.about', { reason: wordOf('support.reasons', claim.reason) });
  useTitle(title);
  return (
    <Page
      title={title}
      state={<ClaimState status={claim.status} />}
      up={up()}
      actions={
        can('deleteClaim') && (
          <Button kind="danger" onClick={() => remove(claim)}>
            {t('support.claim.delete')}
          </Button>
        )
      }
    >
      <div class="columns">
        <div class="stack">
          <ClaimFacts claim={claim} />
          <Photos claim={claim} />
          <Items claim={claim} />
        </div>
        <div class="stack">
          {can('updateClaim') && (
            <Section title={t('support.claim.change')}>
              <div class="card">
                <ClaimForm claim={claim} onSaved={reload} onTheirs={reload} />
              </div>
            </Section>
          )}
          <Conversation claim={claim} onSent={reload} />
          <Section title={t('support.claim.history')}>
            <Loaded resource={history} tried={t('support.claim.historyTried')}>
              {(entries) => (
                <>
                  <History entries={entries} />
                  <Pager shown={entries.length} />
                </>
              )}
            </Loaded>
          </Section>
        </div>
      </div>
    </Page>
  );
}

async function remove({ uuid, order_number }: Claim): Promise<void> {
  const isSure = await confirm({
    title: t('support.claim.deleteTitle', { number: order_number }),
    text: t('support.claim.deleteText'),
    action: t('support.claim.delete'),
  });
  if (!isSure) return;
  try {
    await call('deleteClaim', { params: { uuid } });
    notify(t('support.claim.deleted'));
    go(inShop('/claims'), { force: true });
  } catch (error) {
    notify(`${t('support.claim.deleteTried')} ${textOf(error)}`, 'failed');
  }
}

function ClaimFacts({ claim }: { claim: Claim }) {
  const { order_id, order_number, address, tracking_number, resolution_preference } = claim;
  const customer = address?.name;
  return (
    <Section title={t('support.claim.facts')}>
      <div class="card stack">
        <Facts
          facts={[
            [t('support.claim.number'), <CopyText text={claimNumber(claim.uuid)} />],
            [
              t('support.claim.order'),
              <a href={href(inShop(`/orders/${order_id}`))}>{t('support.order.named', { number: order_number })}</a>,
            ],
            [t('support.customer.name'), customer ? <bdi>{customer}</bdi> : undefined],
            [t('support.trackingNumber'), tracking_number && <CopyText text={tracking_number} />],
            [
              t('support.claims.preference'),
              resolution_preference ? wordOf('support.preferences', resolution_preference) : t('support.unknown'),
            ],
            [t('support.claim.created'), <Time at={claim.created_at} />],
            [t('support.changed'), <Time at={claim.updated_at} />],
            amountOf(claim),
            [t('support.claim.id'), <CopyText text={claim.uuid} />],
          ]}
        />
        {claim.description && (
          <div>
            <h3>{t('support.claim.description')}</h3>
            <blockquote class="lines">{claim.description}</blockquote>
          </div>
        )}
      </div>
    </Section>
  );
}

const itemsOf = ({ selected_items, damaged_product_items }: Claim) => [...selected_items, ...damaged_product_items];

/** The price of what the claim is about. If that is not known, that of the whole order, and it says so. */
function amountOf({ claimed_amount, net_invoice_amount, currency }: Claim): Fact {
  if (claimed_amount !== null) return [t('support.claim.itemsAmount'), money(claimed_amount, currency)];
  const amount = net_invoice_amount === null ? undefined : money(net_invoice_amount, currency);
  return [t('support.claim.orderAmount'), amount];
}

/** Signed links work for ten minutes; reading the claim again renews them. */
function Photos({ claim }: { claim: Claim }) {
  const items = itemsOf(claim);
  const signature = claim.customer_signature_image_url;
  const photos = [
    ...claim.image_urls,
    ...claim.optional_image_urls,
    ...items.flatMap(({ image_urls }) => image_urls),
    ...(signature ? [signature] : []),
  ];
  return (
    <Section title={t('support.claim.photos')}>
      {photos.length === 0 && <p class="muted">{t('support.claim.noPhotos')}</p>}
      <ul class="photos">
        {photos.map((given, i) => {
          const url = webLink(given);
          const name = given === signature ? t('support.claim.signature') : t('support.claim.photo', { number: i + 1 });
          return (
            <li key={given}>
              {url ? (
                <a href={url} target="_blank" rel="noreferrer">
                  <img src={url} alt={name} loading="lazy" />
                </a>
              ) : (
                <span>
                  {name}: {given}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Items({ claim }: { claim: Claim }) {
  const items = itemsOf(claim);
  if (items.length === 0) return null;
  return (
    <Section title={t('support.products')}>
      <ul class="card products">
        {items.map(({ sku, title, quantity, net_price }, i) => (
          <li key={`${sku} ${i}`}>
            <span class="muted">{quantity ?? 1} ×</span> <bdi>{title ?? sku ?? '–'}</bdi>
            {sku && <code>{sku}</code>}
            {net_price != null && <span class="muted"> {money(net_price, claim.currency)}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const History = ({ entries }: { entries: readonly HistoryEntry[] }) => (
  <ol class="card history">
    {entries.map((entry, i) => (
      <li key={`${entry.at} ${i}`}>
        <p>
          {summaryOf(entry)} <span class="muted">{writerOf(entry)}</span>{' '}
          <span class="muted">
            <Time at={entry.at} />
          </span>
        </p>
        {entry.comment && <blockquote class="lines">{entry.comment}</blockquote>}
      </li>
    ))}
  </ol>
);

const isErasure = ({ by }: HistoryEntry) => by === 'erasure';

const writerOf = (entry: HistoryEntry): string =>
  isErasure(entry) && entry.by_name !== null
    ? t('timeline.erasedBy', { who: askerOf(entry.by_name) })
    : t('support.claim.by', { who: authorOf(entry) });

function summaryOf(entry: HistoryEntry): ComponentChildren {
  const { action, changes, by } = entry;
  if (isErasure(entry)) return t('timeline.erased');
  if (action === 'message') return t(`support.claim.actions.${by === 'customer' ? 'wroteCustomer' : 'wroteShop'}`);
  if (action !== 'updated') return wordOf('support.claim.actions', action);
  if (changes.length === 0) return t('support.claim.commented');
  return changes.map(({ field, from, to }) => changeText(field, from, to)).join(' · ');
}

function changeText(field: string, from: string | null, to: string | null): string {
  const group = field === 'status' ? 'support.statuses' : 'support.preferences';
  const word = (value: string | null) => (value === null ? t('support.unknown') : wordOf(group, value));
  if (field === 'description') return t('support.claim.descriptionChanged');
  return t('support.claim.change1', { field: wordOf('support.claim.fields', field), from: word(from), to: word(to) });
}
