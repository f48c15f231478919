import type { Withdrawal, withdrawals } from '../families/withdrawals.ts';
import type { EventWithdrawal } from '../shapes/withdrawal-shapes.ts';
import type { ExamplesOf } from './example.ts';
import { ids } from './story.ts';

export const declaredWithdrawal = {
  uuid: ids.withdrawal,
  order_id: ids.order,
  items: [{ sku: 'FJORD-GRN-M', title: 'Rain jacket Fjord, Moss green / M', quantity: 1 }],
  declared_at: '2026-11-16T09:07:29.454Z',
  deadline: null,
  based_on: {
    state: 'under_way',
    shipment_id: null,
    event_name: null,
    handed_over_at: null,
    days: 14,
    country_code: 'DE',
    time_zone: 'Europe/Berlin',
  },
  status: 'declared',
  comment: null,
} satisfies EventWithdrawal;

const withdrawal = {
  ...declaredWithdrawal,
  order_number: '10482',
  name: 'Mara Lindqvist',
  email_id: 'mara.lindqvist@example.com',
} satisfies Withdrawal;

const comment = 'We wait for the jacket.';

export const withdrawalExamples = {
  searchWithdrawals: { query: { status: 'declared' }, response: { withdrawals: [withdrawal] } },
  getWithdrawal: { params: { uuid: ids.withdrawal }, response: withdrawal },
  settleWithdrawal: {
    params: { uuid: ids.withdrawal },
    body: { status: 'accepted', comment },
    response: { ...withdrawal, status: 'accepted', comment },
  },
} satisfies ExamplesOf<typeof withdrawals>;
