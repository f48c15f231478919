import Type, { type Static } from 'typebox';
import { withdrawalStatuses } from '../catalogues/enumerations.ts';
import { Choice, DateTime, Nullable, Shape, Uuid } from './shapes.ts';

/** A customer's declaration to withdraw from the contract, as the API and the events show it. */

const WithdrawalItem = Shape('WithdrawalItem', {
  sku: Nullable(Type.String()),
  title: Nullable(Type.String()),
  quantity: Type.Integer(),
});

const WithdrawalBasis = Shape(
  'WithdrawalBasis',
  {
    state: Choice(['under_way', 'handed_over'], {
      description:
        '`handed_over`: every parcel that still comes was handed over, and the period runs from the last one. ' +
        '`under_way`: at least one was not handed over when the customer declared it, so the period had not begun.',
    }),
    shipment_id: Nullable(Uuid({ description: 'The parcel that was handed over last.' })),
    event_name: Nullable(Type.String({ description: 'The event that says so.' })),
    handed_over_at: Nullable(DateTime({ description: 'When it was handed over.' })),
    days: Type.Integer({ description: 'How many days the shop gives.' }),
    country_code: Nullable(Type.String({ description: 'The country of delivery, whose public holidays count.' })),
    time_zone: Type.String({ description: 'The time zone of the delivery, in which days begin and end.' }),
  },
  { description: 'What `deadline` was computed from.' },
);

export const withdrawalFields = {
  uuid: Uuid(),
  order_id: Uuid(),
  items: Type.Array(WithdrawalItem, { description: 'What the customer withdraws from. Empty: the whole order.' }),
  declared_at: DateTime({ description: 'When the customer confirmed the withdrawal.' }),
  deadline: Nullable(
    DateTime({
      description: 'The last moment of the period. Null if parcels were still under way when the customer declared it.',
    }),
  ),
  based_on: WithdrawalBasis,
  status: Choice(withdrawalStatuses, { description: 'What became of it.' }),
  comment: Nullable(Type.String({ description: 'What the shop said when it settled the withdrawal.' })),
};

const EventWithdrawal = Shape('EventWithdrawal', withdrawalFields);

/** What events say of a withdrawal. Who declared it is in the API only. */
export type EventWithdrawal = Static<typeof EventWithdrawal>;
export type WithdrawalItem = Static<typeof WithdrawalItem>;
export type WithdrawalBasis = Static<typeof WithdrawalBasis>;
