// The part of React's types that `lead-workspace/react-ui` needs.

export interface HTMLAttributes<T> {
  className?: string | undefined;
  onClick?: ((event: { currentTarget: T }) => void) | undefined;
}

export type DetailedHTMLProps<E extends HTMLAttributes<T>, T> = E & {
  ref?: { current: T | null } | undefined;
  key?: string | undefined;
};

export namespace JSX {
  interface IntrinsicElements {
    div: DetailedHTMLProps<HTMLAttributes<HTMLDivElement>, HTMLDivElement>;
  }
}

declare global {
  namespace JSX {
    interface IntrinsicElements extends ReactIntrinsic {}
    type ReactIntrinsic = import("react").JSX.IntrinsicElements;
  }
}
