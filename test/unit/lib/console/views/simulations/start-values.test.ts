import { expect, test } from 'vitest';
import { fieldOf, newStep, type StepValues, toBody } from '#lib/console/views/simulations/start-values.ts';

const step: StepValues = { event_name: 'OUT_FOR_DELIVERY', after: '2', unit: 'days', parcel: '1', is_return: false };
const values = { journey: 'lost', steps: [step], start_at: '', integrations: false, emails: false };

test('a stock journey is sent without the steps that were typed before it was chosen', () => {
  expect(toBody(values)).toEqual({ journey: 'lost', integrations: false, emails: false });
});

test('own steps are sent in minutes from the start', () => {
  const steps = [step, { ...step, after: '1,5', unit: 'hours' as const, parcel: '2', is_return: true }];
  expect(
    toBody({ ...values, journey: '', steps, start_at: '2026-11-16T09:30:00.000Z', integrations: true, emails: true }),
  ).toEqual({
    steps: [
      { event_name: 'OUT_FOR_DELIVERY', after_minutes: 2880, parcel: 1, is_return: false },
      { event_name: 'OUT_FOR_DELIVERY', after_minutes: 90, parcel: 2, is_return: true },
    ],
    start_at: '2026-11-16T09:30:00.000Z',
    integrations: true,
    emails: true,
  });
});

test('what is no number is sent as it was typed, so that the service says what is wrong with it', () => {
  const steps = [{ ...step, after: 'soon', parcel: '' }];
  expect(toBody({ ...values, journey: '', steps }).steps).toEqual([
    { event_name: 'OUT_FOR_DELIVERY', after_minutes: 'soon', parcel: '', is_return: false },
  ]);
});

test('a fault of the minutes stands beside the field in which they were typed', () => {
  expect(fieldOf('steps.3.after_minutes')).toBe('steps.3.after');
  expect(fieldOf('steps.3.parcel')).toBe('steps.3.parcel');
});

test('a new step begins at the time and the parcel of the last one, and its event is to be chosen', () => {
  expect(newStep(step)).toEqual({ ...step, event_name: '' });
  expect(newStep(undefined)).toEqual({ event_name: '', after: '0', unit: 'hours', parcel: '1', is_return: false });
});
