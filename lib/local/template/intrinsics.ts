import type { Template } from './assembly.ts';
import { account, type PhysicalNames, region } from './physical-names.ts';

/** Resolves the intrinsic functions of a template. If it cannot resolve one, it throws an error that names it. */
export interface Resolver {
  resolve(value: unknown): unknown;
  condition(name: string | undefined): boolean;
}

const noValue = Symbol('AWS::NoValue');

const pseudoParameters: Record<string, unknown> = {
  'AWS::Region': region,
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/local/local`,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': noValue,
};

type Argument = unknown;
type Functions = Record<string, (argument: Argument) => unknown>;

export function createResolver(template: Template, stackName: string, names: PhysicalNames): Resolver {
  const ref = (name: string): unknown => {
    if (name === 'AWS::StackName') return stackName;
    if (name in pseudoParameters) return pseudoParameters[name];
    const parameter = template.Parameters?.[name];
    if (parameter) return parameterDefault(name, parameter.Default);
    const resource = template.Resources[name];
    if (resource) return names.ref(name, resource);
    throw new Error(`The template refers to ${name}, but does not contain it.`);
  };

  const attribute = (logicalId: string, attributeName: string): string => {
    const resource = template.Resources[logicalId];
    const value = resource && names.attribute(logicalId, resource, attributeName);
    if (value === undefined) {
      throw new Error(
        `The local stack has no value for ${logicalId}.${attributeName} (${resource?.Type ?? 'missing'}).`,
      );
    }
    return value;
  };

  const variable = (name: string): string => {
    const dot = name.indexOf('.');
    return String(dot < 0 ? ref(name) : attribute(name.slice(0, dot), name.slice(dot + 1)));
  };

  const functions: Functions = {
    Ref: (argument) => ref(text(argument)),
    'Fn::GetAtt': (argument) => {
      const [logicalId, attributeName] = typeof argument === 'string' ? splitOnce(argument) : list(argument);
      return attribute(text(logicalId), text(attributeName));
    },
    'Fn::Join': (argument) => {
      const [separator, parts] = list(argument);
      return list(resolve(parts)).map(String).join(text(separator));
    },
    'Fn::Sub': (argument) => {
      const [pattern, definitions] = Array.isArray(argument) ? argument : [argument, {}];
      const variables = resolve(definitions) as Record<string, unknown>;
      return text(pattern).replace(
        /\$\{([^!{}][^{}]*)\}|\$\{!([^{}]*)\}/g,
        (_match, name?: string, literal?: string) => {
          if (name === undefined) return `\${${literal}}`;
          return Object.hasOwn(variables, name) ? String(variables[name]) : variable(name.trim());
        },
      );
    },
    'Fn::Select': (argument) => {
      const [index, values] = list(argument);
      const chosen = list(resolve(values))[Number(resolve(index))];
      if (chosen === undefined) throw new Error(`Fn::Select: the list has no element at ${JSON.stringify(index)}.`);
      return chosen;
    },
    'Fn::Split': (argument) => {
      const [separator, value] = list(argument);
      return String(resolve(value)).split(text(separator));
    },
    'Fn::If': (argument) => {
      const [name, whenTrue, whenFalse] = list(argument);
      return resolve(condition(text(name)) ? whenTrue : whenFalse);
    },
    'Fn::Equals': (argument) => {
      const [left, right] = list(argument).map((side) => JSON.stringify(resolve(side)));
      return left === right;
    },
    'Fn::Not': (argument) => !truth(list(argument)[0]),
    'Fn::And': (argument) => list(argument).every(truth),
    'Fn::Or': (argument) => list(argument).some(truth),
  };

  const condition = (name: string | undefined): boolean => {
    if (name === undefined) return true;
    if (!template.Conditions || !(name in template.Conditions))
      throw new Error(`The template has no condition ${name}.`);
    return truth(template.Conditions[name]);
  };
  const truth = (value: unknown): boolean => {
    const named = isRecord(value) && Object.keys(value).length === 1 ? value.Condition : undefined;
    return typeof named === 'string' ? condition(named) : resolve(value) === true;
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== noValue);
    if (!isRecord(value)) return value;
    const keys = Object.keys(value);
    const [key] = keys;
    if (keys.length === 1 && key && (key === 'Ref' || key.startsWith('Fn::'))) {
      const apply = functions[key];
      if (!apply) throw new Error(`The local stack does not support ${key}.`);
      return apply(value[key]);
    }
    const entries = keys.map((name) => [name, resolve(value[name])] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== noValue));
  };

  return { resolve, condition };
}

function parameterDefault(name: string, value: unknown): unknown {
  if (value === undefined) throw new Error(`The template's parameter ${name} has no default.`);
  return value;
}

function splitOnce(value: string): string[] {
  const dot = value.indexOf('.');
  return [value.slice(0, dot), value.slice(dot + 1)];
}

function text(value: unknown): string {
  if (typeof value !== 'string')
    throw new Error(`Expected a string in an intrinsic function, got ${JSON.stringify(value)}.`);
  return value;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`Expected a list in an intrinsic function, got ${JSON.stringify(value)}.`);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
