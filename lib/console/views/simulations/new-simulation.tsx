import { useRef } from 'preact/hooks';
import { shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { go, inShop } from '../../app/router.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { CheckField, SelectField, TextField, TimeField } from '../../ui/fields.tsx';
import { type Form, FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { inRow, Rows } from '../../ui/rows.tsx';
import { eventOptions } from '../../ui/shipment-events.ts';
import { Loaded } from '../../ui/states.tsx';
import { journeyLength, journeyTitle } from './journey-words.ts';
import { fieldOf, firstSteps, maxParcels, maxSteps, newStep, type StartValues, toBody, units } from './start-values.ts';

type Journey = Answer<'listJourneys'>[number];

const initial: StartValues = {
  journey: 'delivered',
  steps: firstSteps,
  start_at: '',
  integrations: false,
  emails: false,
};

export default function NewSimulation() {
  const journeys = useResource('', (signal) => call('listJourneys', { signal }));
  const started = useRef('');
  const form = useForm<StartValues>({
    initial,
    fieldOf,
    save: async (values) => {
      started.current = (await call('startSimulation', { body: toBody(values) })).uuid;
    },
  });
  const onSaved = () => {
    notify(t('simulations.start.done'));
    go(inShop(`/simulations/${started.current}`), { force: true });
  };
  return (
    <Page title={t('simulations.start.title')} up={{ path: inShop('/simulations'), label: t('simulations.title') }}>
      <p class="intro">{t('simulations.noneText')}</p>
      <Loaded resource={journeys} tried={t('simulations.journeysTried')}>
        {(found) => (
          <div class="start">
            <FormView
              form={form}
              tried={t('simulations.start.tried')}
              action={t('simulations.start.action')}
              onSaved={onSaved}
            >
              <JourneyChoice journeys={found} form={form} />
              {form.values.value.journey === '' && <OwnSteps form={form} />}
              <TimeField
                label={t('simulations.start.at')}
                help={t('simulations.start.atHelp')}
                isOptional
                {...form.field('start_at')}
              />
              <CheckField
                label={t('simulations.start.integrations')}
                help={t('simulations.start.integrationsHelp')}
                {...form.field('integrations')}
              />
              <CheckField
                label={t('simulations.start.emails')}
                help={t('simulations.start.emailsHelp')}
                {...form.field('emails')}
              />
            </FormView>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface PartProps {
  form: Form<StartValues>;
}

const JourneyChoice = ({ journeys, form }: PartProps & { journeys: readonly Journey[] }) => (
  <fieldset>
    <legend>{t('simulations.start.what')}</legend>
    <div class="cards">
      {journeys.map(({ id, steps }) => (
        <JourneyCard
          key={id}
          form={form}
          journey={id}
          title={journeyTitle(id)}
          text={wordOf('simulations.journeys.descriptions', id)}
          length={journeyLength(steps)}
        />
      ))}
      <JourneyCard form={form} journey="" title={t('simulations.ownSteps')} text={t('simulations.start.ownText')} />
    </div>
  </fieldset>
);

interface CardProps extends PartProps {
  journey: string;
  title: string;
  text: string;
  length?: string;
}

const JourneyCard = ({ form, journey, title, text, length }: CardProps) => (
  <label class="card journey">
    <input
      type="radio"
      name="journey"
      value={journey}
      checked={form.values.value.journey === journey}
      onChange={() => form.set({ journey })}
    />
    <span>
      <strong>{title}</strong>
      <span>{text}</span>
      {length && <span class="muted">{length}</span>}
    </span>
  </label>
);

function OwnSteps({ form }: PartProps) {
  const { steps } = form.values.value;
  return (
    <Rows
      legend={t('simulations.steps.title')}
      help={form.faultOf('steps') ?? t('simulations.start.stepsHelp')}
      rows={steps}
      nameOf={(_, i) => String(i + 1)}
      add={t('simulations.start.addStep')}
      make={() => newStep(steps.at(-1))}
      onRows={(rows) => form.set({ steps: rows })}
      isReadOnly={false}
      max={maxSteps}
    >
      {(row, i, change) => (
        <>
          <SelectField
            {...inRow(form, 'steps', i, 'event_name', row.event_name, change)}
            label={t('simulations.start.event', { number: i + 1 })}
            options={[{ value: '', label: t('simulations.start.choose') }, ...eventOptions(shipmentEventNames)]}
          />
          <div class="step-fields">
            <TextField
              {...inRow(form, 'steps', i, 'after', row.after, change)}
              label={t('simulations.start.after')}
              inputMode="decimal"
            />
            <SelectField
              {...inRow(form, 'steps', i, 'unit', row.unit, change)}
              label={t('simulations.start.unit')}
              options={units.map((value) => ({ value, label: t(`simulations.start.units.${value}`) }))}
            />
            <TextField
              {...inRow(form, 'steps', i, 'parcel', row.parcel, change)}
              label={t('simulations.start.parcel')}
              type="number"
              min={1}
              max={maxParcels}
            />
          </div>
          <CheckField
            name={`steps.${i}.is_return`}
            label={t('simulations.start.isReturn')}
            value={row.is_return}
            fault={form.faultOf(`steps.${i}.is_return`)}
            onValue={(is_return) => change({ is_return })}
          />
        </>
      )}
    </Rows>
  );
}
