import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { withdrawalTransitions } from '#schemas/catalogues/enumerations.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { type Answer, call, Failure } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { exact } from '../../ui/time.tsx';
import { WithdrawalState, type WithdrawalStatus } from './withdrawal-state.tsx';

type Withdrawal = Answer<'getWithdrawal'>;

const up = () => ({ path: inShop('/withdrawals'), label: t('support.withdrawals.title') });

export default function WithdrawalView({ params }: ViewProps) {
  const uuid = params.id!;
  const withdrawal = useResource(uuid, (signal) => read(uuid, signal));
  return (
    <Loaded resource={withdrawal} tried={t('support.withdrawals.oneTried')}>
      {(found) =>
        found ? (
          <Found withdrawal={found} reload={() => withdrawal.reload()} />
        ) : (
          <Page title={t('support.withdrawals.gone')} up={up()}>
            <Empty title={t('support.withdrawals.gone')} text={t('support.withdrawals.goneText')} icon="return" />
          </Page>
        )
      }
    </Loaded>
  );
}

/** Null if the shop has no such withdrawal. */
async function read(uuid: string, signal: AbortSignal): Promise<Withdrawal | null> {
  try {
    return await call('getWithdrawal', { params: { uuid }, signal });
  } catch (error) {
    if (error instanceof Failure && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

interface FoundProps {
  withdrawal: Withdrawal;
  reload: () => Promise<unknown>;
}

function Found({ withdrawal, reload }: FoundProps) {
  const { uuid, order_id, order_number, name, email_id, declared_at, deadline, status, comment, items } = withdrawal;
  const moves = withdrawalTransitions[status];
  return (
    <Page
      title={t('support.withdrawals.of', { number: order_number })}
      state={<WithdrawalState status={status} />}
      up={up()}
    >
      <div class="columns">
        <Section title={t('support.withdrawals.facts')}>
          <div class="card stack">
            <Facts
              facts={[
                [t('support.claim.number'), <CopyText text={claimNumber(uuid)} />],
                [
                  t('support.withdrawals.order'),
                  <a href={href(inShop(`/orders/${order_id}`))}>
                    {t('support.order.named', { number: order_number })}
                  </a>,
                ],
                [t('support.customer.name'), name && <bdi>{name}</bdi>],
                [t('support.withdrawals.email'), email_id && <CopyText text={email_id} />],
                [t('support.withdrawals.declared'), <time dateTime={declared_at}>{exact(declared_at)}</time>],
                [
                  t('support.withdrawals.deadline'),
                  deadline ? <time dateTime={deadline}>{exact(deadline)}</time> : t('support.withdrawals.underWay'),
                ],
                [t('support.claim.comment'), comment && <span class="lines">{comment}</span>],
              ]}
            />
            <h3>{t('support.products')}</h3>
            <ul class="products">
              {items.map(({ sku, title, quantity }, i) => (
                <li key={`${sku} ${i}`}>
                  <span class="muted">{quantity} ×</span> <bdi>{title ?? sku ?? '–'}</bdi>
                </li>
              ))}
            </ul>
          </div>
        </Section>
        {can('settleWithdrawal') && moves.length > 0 && (
          <Section title={t('support.withdrawals.settle')}>
            <div class="card">
              <Settling key={status} withdrawal={withdrawal} moves={moves} reload={reload} />
            </div>
          </Section>
        )}
      </div>
    </Page>
  );
}

function Settling({ withdrawal, moves, reload }: FoundProps & { moves: readonly WithdrawalStatus[] }) {
  const { uuid } = withdrawal;
  const form = useForm({
    initial: { status: moves[0] as string, comment: '' },
    save: ({ status, comment }) => {
      const text = comment.trim();
      const body = { status: status as WithdrawalStatus, ...(text && { comment: text }) };
      return call('settleWithdrawal', { params: { uuid }, body });
    },
  });
  return (
    <FormView
      form={form}
      tried={t('support.withdrawals.settleTried')}
      action={t('common.save')}
      onSaved={async () => {
        const { status } = form.values.value;
        form.reset({ status, comment: '' }, undefined);
        await reload();
        notify(t('support.withdrawals.settled', { status: wordOf('support.withdrawals.statuses', status) }));
      }}
    >
      <SelectField
        label={t('support.withdrawals.status')}
        options={moves.map((value) => ({ value, label: wordOf('support.withdrawals.statuses', value) }))}
        {...form.field('status')}
      />
      <TextArea
        label={t('support.claim.comment')}
        help={t('support.withdrawals.commentHelp')}
        isOptional
        maxLength={claimLimits.commentCharacters}
        {...form.field('comment')}
      />
    </FormView>
  );
}
