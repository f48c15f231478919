import { type Resource, readAssembly, type Template } from './assembly.ts';
import { createResolver } from './intrinsics.ts';
import { physicalNames } from './physical-names.ts';

type Properties = Record<string, unknown>;

export interface StackResource {
  logicalId: string;
  ref: string;
  arn: string;
  attribute(name: string): string | undefined;
  properties: Properties;
}

/** The stack for the rest of the local stack: resources with all references resolved. */
export interface StackTemplate {
  name: string;
  resources(...types: string[]): StackResource[];
  outputs(): Record<string, string>;
  assetFolder(s3Key: string): string;
}

/**
 * @param endpoint the address of AWS for functions, used in queue URLs
 * @param host the public host of the service, used as the domain of its distributions
 */
export function readStack(assemblyFolder: string, endpoint: string, host: string): StackTemplate {
  const { stackName, template, assetFolder } = readAssembly(assemblyFolder);
  return { ...resolveStack(template, stackName, endpoint, host), assetFolder };
}

export function resolveStack(
  template: Template,
  stackName: string,
  endpoint: string,
  host?: string,
): Omit<StackTemplate, 'assetFolder'> {
  const names = physicalNames(stackName, endpoint, host);
  const resolver = createResolver(template, stackName, names);
  const cache = new Map<string, StackResource>();

  const toResource = (logicalId: string, resource: Resource): StackResource => {
    const cached = cache.get(logicalId);
    if (cached) return cached;
    const resolved = {
      logicalId,
      ref: names.ref(logicalId, resource),
      arn: names.attribute(logicalId, resource, 'Arn') ?? names.ref(logicalId, resource),
      attribute: (name: string) => names.attribute(logicalId, resource, name),
      properties: resolver.resolve(resource.Properties ?? {}) as Properties,
    };
    cache.set(logicalId, resolved);
    return resolved;
  };

  return {
    name: stackName,
    resources: (...types) =>
      Object.entries(template.Resources)
        .filter(([, resource]) => types.includes(resource.Type) && resolver.condition(resource.Condition))
        .map(([logicalId, resource]) => toResource(logicalId, resource)),
    outputs: () => {
      const outputs: Record<string, string> = {};
      for (const [name, output] of Object.entries(template.Outputs ?? {})) {
        const value = resolver.condition(output.Condition) ? resolveOutput(resolver.resolve, output.Value) : undefined;
        if (value !== undefined) outputs[name] = value;
      }
      return outputs;
    },
  };
}

/** The output of a resource that does not run here (a CloudFront domain) has no value, and nothing uses it. */
function resolveOutput(resolve: (value: unknown) => unknown, value: unknown): string | undefined {
  try {
    return String(resolve(value));
  } catch {
    return undefined;
  }
}
