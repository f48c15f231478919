import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'> {
  /** `main`: the one thing to do here. `danger`: it takes something away. `plain`: like a link. */
  kind?: 'main' | 'danger' | 'quiet' | 'plain';
  class?: string;
  /** It was pressed, and its work is under way: it keeps the focus, and does nothing more. */
  isBusy?: boolean;
  children: ComponentChildren;
}

export function Button({ kind = 'quiet', isBusy = false, children, class: more = '', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind} ${more}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
