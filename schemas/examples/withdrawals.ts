import type { EventWithdrawal } from '../shapes/withdrawal-shapes.ts';
import { ids } from './story.ts';

export const declaredWithdrawal = {
  uuid: ids.withdrawal,
  order_id: ids.order,
  items: [{ sku: 'FJORD-GRN-M', title: 'Rain jacket Fjord', quantity: 1 }],
  declared_at: '2026-11-16T09:05:30.120Z',
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
