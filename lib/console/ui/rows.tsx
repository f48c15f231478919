import type { ComponentChildren } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import type { Bound } from './fields.tsx';
import type { Form } from './form.tsx';
import { RowKeys } from './row-keys.ts';

interface RowsProps<T> {
  legend: string;
  help?: string;
  /** What is wrong with the list as a whole: `form.faultOfList(name)`. */
  fault?: string | undefined;
  rows: readonly T[];
  /** What stands for a row, in the names of its buttons. */
  nameOf: (row: T, index: number) => string;
  add: string;
  make: () => T;
  onRows: (rows: T[]) => void;
  isReadOnly: boolean;
  max?: number;
  children: (row: T, index: number, change: (changes: Partial<T>) => void) => ComponentChildren;
}

/** A list within a form. */
export function Rows<T>(props: RowsProps<T>) {
  const { legend, help, fault, rows, nameOf, add, make, onRows, isReadOnly, max = 50, children } = props;
  const id = useId();
  const keys = useMemo(() => new RowKeys(), []);
  const keyOf = keys.of(rows.length);
  const removed = (index: number) => {
    keys.removed(index);
    onRows(rows.filter((_, i) => i !== index));
    // The button is gone with its row.
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  return (
    <fieldset>
      <legend>{legend}</legend>
      {fault && (
        <p class="fault" tabIndex={-1} data-fault>
          {fault}
        </p>
      )}
      {help && <p class="help">{help}</p>}
      {rows.length > 0 && (
        <div class="rows">
          {rows.map((row, index) => (
            <div class="row" key={keyOf[index]}>
              {children(row, index, (changes) =>
                onRows(rows.map((other, i) => (i === index ? { ...other, ...changes } : other))),
              )}
              {!isReadOnly && (
                <div class="actions">
                  <Button kind="plain" onClick={() => removed(index)}>
                    {t('common.remove')} <span class="hidden">{nameOf(row, index)}</span>
                  </Button>
                </div>
              )}
            </div>
          ))}
        </div>
      )}
      {!isReadOnly && rows.length < max && (
        <p>
          <Button id={id} onClick={() => onRows([...rows, make()])}>
            {add}
          </Button>
        </p>
      )}
    </fieldset>
  );
}

/** What a field within a row needs. `change` is that of the row. */
export function inRow<T extends object>(
  form: Form<T>,
  list: string,
  index: number,
  name: string,
  value: string,
  change: (changes: Record<string, string>) => void,
): Bound<string> {
  const place = `${list}.${index}.${name}`;
  return {
    name: place,
    value,
    fault: form.faultOf(place),
    onValue: (next) => change({ [name]: next }),
    isReadOnly: form.isReadOnly,
  };
}
