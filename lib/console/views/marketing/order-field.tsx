import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { TextField } from '../../ui/fields.tsx';

interface OrderFieldProps {
  label: string;
  help?: string;
  required?: boolean;
  /** The order number in the address. */
  order: string;
}

/** It follows the address, and keeps what is typed while a view reads. */
export function OrderField({ order, ...rest }: OrderFieldProps) {
  const typed = useSignal(order);
  const followed = useRef(order);
  // It runs a moment after the field is there, when somebody may have typed already.
  useEffect(() => {
    if (followed.current === order) return;
    followed.current = order;
    typed.value = order;
  }, [order]);
  return (
    <TextField
      {...rest}
      name="order"
      value={typed.value}
      onValue={(text) => {
        typed.value = text;
      }}
    />
  );
}
