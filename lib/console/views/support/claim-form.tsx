import { useEffect, useRef } from 'preact/hooks';
import { claimTransitions } from '#schemas/catalogues/enumerations.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { type Answer, call } from '../../api/client.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import type { ClaimStatus } from './claim-state.tsx';

export type Claim = Answer<'getClaim'>;

interface ClaimFormProps {
  claim: Claim;
  /** The status that was chosen before the form opened. */
  to?: ClaimStatus;
  onSaved: (claim: Claim) => unknown;
  /** Somebody else changed it, and the user goes on from there. */
  onTheirs: (claim: Claim) => unknown;
}

/** Changes the status with a comment, or adds a comment alone. */
export function ClaimForm({ claim, to = claim.status, onSaved, onTheirs }: ClaimFormProps) {
  const saved = useRef(claim);
  const form = useForm({
    initial: { status: to as string, comment: '' },
    etag: claim.updated_at,
    save: async ({ status, comment }, ifMatch) => {
      const body = { status: status as ClaimStatus, comment: comment.trim() || null };
      saved.current = await call('updateClaim', { params: { uuid: claim.uuid }, body, ifMatch });
    },
    readTheirs: async () => {
      const theirs = await call('getClaim', { params: { uuid: claim.uuid } });
      const { comment } = form.values.value;
      await onTheirs(theirs);
      // After the form has started again: a comment is an addition, which theirs does not replace.
      setTimeout(() => form.set({ comment }));
      return { values: { status: theirs.status as string, comment: '' }, etag: theirs.updated_at };
    },
  });
  const known = useRef(claim);
  useEffect(() => {
    // A message was written meanwhile, and the view shows it.
    if (known.current.status === claim.status) form.basedOn(claim.updated_at);
    known.current = claim;
  }, [claim.updated_at]);
  const choices = [claim.status, ...claimTransitions[claim.status]];
  return (
    <FormView
      form={form}
      tried={t('support.claim.changeTried')}
      action={t('common.save')}
      onSaved={async () => {
        const { status, updated_at } = saved.current;
        // What was typed while it was saved stays.
        if (form.isChanged) form.basedOn(updated_at);
        else form.reset({ status, comment: '' }, updated_at);
        await onSaved(saved.current);
        notify(t('support.claim.changed', { status: wordOf('support.statuses', status) }));
      }}
    >
      <SelectField
        label={t('support.claim.status')}
        options={choices.map((value) => ({ value, label: wordOf('support.statuses', value) }))}
        {...form.field('status')}
      />
      <TextArea
        label={t('support.claim.comment')}
        help={t('support.claim.commentHelp')}
        isOptional
        maxLength={claimLimits.commentCharacters}
        {...form.field('comment')}
      />
    </FormView>
  );
}
