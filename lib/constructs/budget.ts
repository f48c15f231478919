import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

export interface BudgetProps {
  /** Of the whole account: only its owner can turn on that costs are told by the tags of a stack, and without that such a budget sees nothing. */
  readonly dollars: number;
  readonly email: string;
}

/** What the account may cost in a month. AWS looks about three times a day, so this is no alarm of the minute. A budget that only tells is free. */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { dollars, email }: BudgetProps) {
    super(scope, id);
    const tell = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    });
    new CfnBudget(this, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: dollars, unit: 'USD' } },
      notificationsWithSubscribers: [tell('FORECASTED', 100), tell('ACTUAL', 80), tell('ACTUAL', 100)],
    });
  }
}
