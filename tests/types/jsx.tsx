// The elements in React's JSX.

import type { LeadReviewElement } from "lead-workspace/react-ui";
import wasm from "lead-workspace/client.wasm";

const ref: { current: LeadReviewElement | null } = { current: null };
export const address: string = wasm;
export const review = (
  <lead-review
    ref={ref}
    baseUrl="https://workspace.example"
    theme="dark"
    ondecision={(event) => console.log(event.detail.leadId)}
  />
);
export const pulse = <account-pulse accountId="account-1" onnavigate={({ detail }) => console.log(detail.view)} />;
// @ts-expect-error unknown theme
export const wrong = <lead-review theme="blue" />;
// @ts-expect-error unknown attribute
export const odd = <account-pulse account="account-1" />;
