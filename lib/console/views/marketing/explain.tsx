import { type Answer, call, Failure } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop, setQuery } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { filter } from '../../ui/list.tsx';
import { Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { OrderField } from './order-field.tsx';
import { pathOf, upTo } from './records.tsx';
import { short } from './typed-texts.ts';

/** Why the customer of an order sees what they see. */
export default function Explain() {
  const order = filter('order');
  return (
    <Page title={t('marketing.explain.title')} up={upTo('campaigns')}>
      <p>{t('marketing.explain.intro')}</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const entered = String(new FormData(event.currentTarget).get('order')).trim();
          setQuery({ order: entered }, { replace: false });
        }}
      >
        <OrderField label={t('marketing.explain.order')} order={order} required />
        <Button kind="main" type="submit">
          {t('marketing.explain.show')}
        </Button>
      </form>
      {order !== '' && <Explained key={order} order={order} />}
    </Page>
  );
}

type Explanation = Answer<'getPromotion'> & { order: string };

async function explanationOf(order_number: string, signal: AbortSignal): Promise<Explanation> {
  const [order] = await call('searchOrders', { query: { order_number, per_page: 1 }, signal });
  if (!order)
    throw new Failure('api', { status: 404, message: t('marketing.explain.unknown', { order: order_number }) });
  const promotion = await call('getPromotion', { params: { order_id: order.uuid }, query: { explain: true }, signal });
  return { ...promotion, order: order.uuid };
}

function Explained({ order }: { order: string }) {
  const explanation = useResource(order, (signal) => explanationOf(order, signal));
  return (
    <Loaded resource={explanation} tried={t('marketing.explain.tried')}>
      {(found) => (
        <>
          <Result explanation={found} number={order} />
          <Considered explanation={found} />
        </>
      )}
    </Loaded>
  );
}

function Result({ explanation, number }: { explanation: Explanation; number: string }) {
  const { promotion, ab_test, order } = explanation;
  const link = <a href={href(inShop(`/orders/${order}`))}>{short(number, 40)}</a>;
  return (
    <Section title={t('marketing.explain.result')}>
      <p class="sentence">
        {promotion ? (
          <a href={href(pathOf('campaigns', promotion.uuid))}>{short(promotion.name)}</a>
        ) : (
          t('marketing.explain.nothing')
        )}
      </p>
      {ab_test && <p>{t(howTestDecided(explanation), { name: testName(explanation) })}</p>}
      <p class="muted">
        {t('marketing.explain.order')}: {link}
      </p>
    </Section>
  );
}

const testName = ({ ab_test, explanation = [] }: Explanation): string =>
  short(explanation.find(({ kind, uuid }) => kind === 'ab_test' && uuid === ab_test?.ab_test_id)?.name ?? '');

const howTestDecided = ({ ab_test, promotion }: Explanation) => {
  if (ab_test?.holdout) return 'marketing.explain.holdout';
  return promotion ? 'marketing.explain.byTest' : 'marketing.explain.reasons.variant_not_available';
};

function Considered({ explanation: { explanation = [] } }: { explanation: Explanation }) {
  if (explanation.length === 0) {
    return <Empty title={t('marketing.explain.none')} text={t('marketing.campaigns.emptyText')} icon="gift" />;
  }
  // What is shown comes first, then what nearly was.
  const sorted = explanation.toSorted((a, b) => Number(b.chosen) - Number(a.chosen));
  return (
    <Section title={t('marketing.explain.considered')}>
      <ol class="verdicts">
        {sorted.map(({ kind, uuid, name, segment, chosen, reason }) => (
          <li class="card" key={`${kind} ${uuid}`}>
            <p>
              <a href={href(pathOf(kind === 'ab_test' ? 'abTests' : 'campaigns', uuid))}>{short(name)}</a>{' '}
              <span class="muted">
                {t(kind === 'ab_test' ? 'marketing.abTests.one' : 'marketing.campaigns.one')} · {t('marketing.segment')}
                : {short(segment, 40)}
              </span>
            </p>
            <p>
              <State tone={chosen ? 'arrived' : 'quiet'}>
                {t(chosen ? 'marketing.explain.chosen' : 'marketing.explain.notChosen')}
              </State>{' '}
              {t(chosen && kind === 'ab_test' ? 'marketing.explain.decides' : `marketing.explain.reasons.${reason}`)}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
