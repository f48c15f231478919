import { matchesPattern } from '../iam/patterns.ts';
import { account, region } from '../template/physical-names.ts';
import type { StackTemplate } from '../template/template.ts';

interface Permission {
  FunctionName: string;
  Principal: string;
  Action: string;
  SourceArn?: string;
}

/** The function ARN of an aws_proxy integration. */
export function functionOfUri(uri: string | undefined): string | undefined {
  return /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri ?? '')?.[1];
}

/** Whether the template allows a service to invoke a function, from this source if the permission names one. */
export function mayInvoke(stack: StackTemplate, service: string, functionArn: string, sourceArn: string): boolean {
  return stack.resources('AWS::Lambda::Permission').some(({ properties }) => {
    const permission = properties as unknown as Permission;
    const names = [functionArn, functionArn.split(':').at(-1)];
    return (
      permission.Principal === service &&
      ['lambda:InvokeFunction', 'lambda:*'].includes(permission.Action) &&
      names.includes(permission.FunctionName) &&
      (permission.SourceArn === undefined || matchesPattern(permission.SourceArn, sourceArn))
    );
  });
}

export function executeApiArn(apiId: string, stage: string, method: string, resource: string): string {
  return `arn:aws:execute-api:${region}:${account}:${apiId}/${stage}/${method}${resource}`;
}
