import type { GrpcTypes } from '@mysten/sui/grpc';
import { invalidArgument } from '../ledger/errors.ts';

type FieldInfo = (typeof GrpcTypes.ExecutedTransaction)['fields'][number];

interface Reflected {
  readonly fields: readonly FieldInfo[];
}

interface MessageType<T extends object> extends Reflected {
  create(): T;
}

type MaskTree = 'everything' | Map<string, MaskTree>;

/** Keeps only the fields of a read mask. Throws INVALID_ARGUMENT for a path that the message type does not have. */
export function applyMask<T extends object>(
  type: MessageType<T>,
  message: T,
  mask: { paths: string[] } | undefined,
  defaultPaths: readonly string[],
): T {
  const paths = mask?.paths.length ? mask.paths : defaultPaths;
  const kept = pick(type, message, treeOf(paths));
  return Object.assign(type.create(), kept);
}

function treeOf(paths: readonly string[]): MaskTree {
  const root = new Map<string, MaskTree>();
  for (const path of paths) {
    if (path === '*') return 'everything';
    const names = path.split('.');
    let node = root;
    for (const [depth, name] of names.entries()) {
      const child = node.get(name);
      if (child === 'everything') break;
      if (depth === names.length - 1) {
        node.set(name, 'everything');
        break;
      }
      const next = child ?? new Map<string, MaskTree>();
      node.set(name, next);
      node = next;
    }
  }
  return root;
}

function pick(type: Reflected, message: object, tree: MaskTree, prefix = ''): object {
  if (tree === 'everything') return message;
  const kept: Record<string, unknown> = {};
  for (const [name, subtree] of tree) {
    const path = `${prefix}${name}`;
    const field = type.fields.find((candidate) => candidate.name === name);
    if (!field) throw invalidArgument(`invalid read_mask path: ${path}`);
    // A oneof is kept whole: its member cannot be distinguished from its siblings by name alone.
    const key = field.oneof ?? field.localName;
    const value: unknown = Reflect.get(message, key);
    kept[key] = field.oneof ? value : pickValue(field, value, subtree, path);
  }
  return kept;
}

function pickValue(field: FieldInfo, value: unknown, tree: MaskTree, path: string): unknown {
  if (tree === 'everything') return value;
  if (field.kind !== 'message') throw invalidArgument(`invalid read_mask path: ${path}`);
  const type = field.T();
  const inner = (item: unknown) =>
    typeof item === 'object' && item !== null ? Object.assign(type.create(), pick(type, item, tree, `${path}.`)) : item;
  return Array.isArray(value) ? value.map(inner) : inner(value);
}
