import { type ApiDocument, anyMethod, type Integration } from './document.ts';

export interface Route {
  /** The path in the document: /shops/{slug}. */
  resource: string;
  integration: Integration;
  /** Still percent-encoded. */
  parameters: Record<string, string>;
}

export type Router = (method: string, path: string) => Route | undefined;

interface Node {
  literals: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  greedy: { name: string; node: Node } | undefined;
  resource: string | undefined;
  methods: Map<string, Integration>;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', anyMethod]);

/** A literal segment has priority over a parameter, and a parameter over a greedy one, as in API Gateway. */
export function createRouter(document: ApiDocument): Router {
  const root = emptyNode();
  for (const [path, operations] of Object.entries(document.paths)) {
    const node = segmentsOf(path).reduce((parent, segment) => child(parent, segment, path), root);
    node.resource = path;
    for (const [method, operation] of Object.entries(operations)) {
      const integration = operation['x-amazon-apigateway-integration'];
      if (methods.has(method) && integration) node.methods.set(method, integration);
    }
  }
  return (method, path) => find(root, segmentsOf(path), method.toLowerCase(), {});
}

function find(node: Node, segments: string[], method: string, parameters: Record<string, string>): Route | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    const integration = node.methods.get(method) ?? node.methods.get(anyMethod);
    return integration && node.resource !== undefined
      ? { resource: node.resource, integration, parameters }
      : undefined;
  }
  const literal = node.literals.get(segment);
  if (literal) {
    const found = find(literal, rest, method, parameters);
    if (found) return found;
  }
  if (node.parameter && segment !== '') {
    const { name, node: next } = node.parameter;
    const found = find(next, rest, method, { ...parameters, [name]: segment });
    if (found) return found;
  }
  if (!node.greedy) return undefined;
  return find(node.greedy.node, [], method, { ...parameters, [node.greedy.name]: segments.join('/') });
}

function child(parent: Node, segment: string, path: string): Node {
  const name = /^\{([^{}+]+)(\+?)\}$/.exec(segment);
  if (!name) {
    const existing = parent.literals.get(segment) ?? emptyNode();
    parent.literals.set(segment, existing);
    return existing;
  }
  const kind = name[2] === '+' ? 'greedy' : 'parameter';
  const existing = parent[kind];
  if (existing && existing.name !== name[1]) {
    // API Gateway refuses the import: "A sibling ({x}) of this resource already has a variable path part".
    throw new Error(
      `API Gateway refuses ${path}: a sibling of {${name[1]}} already has the variable {${existing.name}}.`,
    );
  }
  const variable = existing ?? { name: name[1]!, node: emptyNode() };
  parent[kind] = variable;
  return variable.node;
}

function emptyNode(): Node {
  return { literals: new Map(), parameter: undefined, greedy: undefined, resource: undefined, methods: new Map() };
}

function segmentsOf(path: string): string[] {
  return path === '/' || path === '' ? [] : path.slice(1).split('/');
}
