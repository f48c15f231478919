import { useEffect } from 'preact/hooks';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { go, href, inShop, place } from '../../app/router.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { PhaseState } from './parcel-state.tsx';

type Result = Answer<'search'>[number];

/** Names are shared by many people, so a single one is shown and not opened. */
const isExact = ({ matched }: Result) => matched !== 'customer_name' && matched !== 'zip_code';

const pathOf = ({ kind, order_id, claim_uuid }: Result) =>
  inShop(kind === 'claim' ? `/claims/${claim_uuid}` : `/orders/${order_id}`);

export default function Search() {
  const q = (place.value.query.get('q') ?? '').trim();
  const results = useResource(q, async (signal) => ({
    q,
    found: q === '' ? [] : await call('search', { query: { q }, signal }),
  }));
  const answer = results.value.value;
  const only = answer?.q === q && answer.found.length === 1 && isExact(answer.found[0]!) ? answer.found[0]! : undefined;
  useEffect(() => {
    if (only) go(pathOf(only), { replace: true });
  }, [only]);
  return (
    <Page title={q === '' ? t('support.search.title') : t('support.search.for', { q })}>
      <Loaded resource={results} tried={t('support.search.tried')}>
        {({ found }) => (found.length === 0 ? <NothingFound q={q} /> : <Results found={found} />)}
      </Loaded>
    </Page>
  );
}

const NothingFound = ({ q }: { q: string }) => (
  <Empty
    title={q === '' ? t('support.search.start') : t('support.search.nothing', { q })}
    text={t('support.search.hint')}
  />
);

const Results = ({ found }: { found: readonly Result[] }) => (
  <>
    <p class="muted" role="status">
      {found.length >= 50 ? t('support.search.many') : t('support.search.count', { count: found.length })}
    </p>
    <ul class="results">
      {found.map((result) => (
        <li key={`${result.order_id} ${result.claim_uuid}`} class="card result">
          <div class="result-head">
            <RowLink to={href(pathOf(result))}>
              {result.kind === 'claim'
                ? t('support.search.claimOf', { number: result.order_number })
                : t('support.order.named', { number: result.order_number })}
            </RowLink>
            <PhaseState phase={result.phase} flag={result.flag} />
          </div>
          <div class="result-who">
            <bdi>{result.customer_name ?? t('support.noName')}</bdi>
            {result.city && (
              <span class="muted">
                <bdi>{result.city}</bdi>
              </span>
            )}
            {result.email_id && (
              <span class="muted">
                <bdi>{result.email_id}</bdi>
              </span>
            )}
          </div>
          <p class="muted">
            {t('support.search.placed')} <Time at={result.placed_at} /> ·{' '}
            {t('support.parcels', { count: result.parcels })} · {wordOf('support.search.matched', result.matched)}
          </p>
        </li>
      ))}
    </ul>
  </>
);
